import type { Ids } from '../random/ids.ts';
import type { Store } from '../store/store.ts';
import { type SeedTarget, plantArtifact, plantShared } from './plant-artifacts.ts';
import { recordEvent } from '../world/record-event.ts';
import { plantEnvironment } from '../world/plant-environment.ts';
import type { ProjectSeed, ReadySeed } from '../seed/seed-schema.ts';

/**
 * Writes a seed into an empty store. The objects of the seed count as older than the platform, so the audit log has
 * no entries about them, except the seed's `events`.
 */
export function plantSeed(target: SeedTarget, seed: ReadySeed, ids: Ids): void {
  const { store, now } = target;
  store.transaction(() => {
    store.run('INSERT INTO setting (key, value) VALUES (?, ?)', 'seed', JSON.stringify(seed));
    for (const project of seed.projects) plantProject(target, project, seed, ids);
    for (const shared of seed.shared) plantShared(target, shared, seed.settings.configDir);
    for (const credential of seed.credentials) plantCredential(store, credential, ids, now);
    for (const event of seed.events) recordEvent({ store, ids, clock: { now: () => now } }, event, 'seed');
  });
}

function plantProject(target: SeedTarget, project: ProjectSeed, seed: ReadySeed, ids: Ids): void {
  const { store, now } = target;
  const id = project.id ?? ids.uuid();
  const { warehouseKinds, gitProvider } = seed.settings;
  store.run(
    'INSERT INTO project (id, name, description, warehouse, invited) VALUES (?, ?, ?, ?, ?)',
    id,
    project.name,
    project.description ?? null,
    project.warehouse ?? warehouseKinds.keyPair,
    project.invited ? 1 : 0,
  );
  const connections = project.connections.map((connection) => ({
    ...connection,
    authProvider:
      connection.authProvider ??
      (connection.authType === 'key_pair' ? warehouseKinds.keyPair : warehouseKinds.password).toLowerCase(),
  }));
  for (const { name, authProvider, authType } of connections)
    store.run('INSERT INTO connection VALUES (?, ?, ?, ?)', id, name, authProvider, authType);
  for (const environment of project.environments)
    plantEnvironment(store, {
      projectId: id,
      connection: connections[0],
      environment,
      seed,
      ids,
    });
  const { repository } = project;
  if (repository !== undefined)
    store.run(
      'INSERT INTO repository VALUES (?, ?, ?, ?)',
      id,
      gitProvider,
      repository.ownerName,
      repository.repositoryName,
    );
  for (const variable of project.variables) plantVariable(store, id, variable, ids);
  for (const artifact of project.artifacts) plantArtifact(target, id, artifact);
  for (const { id: pipelineId, state, ...pipeline } of project.streamingPipelines)
    store.run(
      `INSERT INTO streaming_pipeline (id, project_id, definition, command, commanded_at, takes_ms)
       VALUES (?, ?, ?, ?, ?, 0)`,
      pipelineId ?? ids.uuid(),
      id,
      JSON.stringify({ ...pipeline, agentId: pipeline.agentId ?? ids.uuid() }),
      state === 'streaming' ? 'start' : null,
      state === 'streaming' ? now : null,
    );
}

function plantVariable(
  store: Store,
  projectId: string,
  variable: ProjectSeed['variables'][number],
  ids: Ids,
): void {
  const id = ids.uuid();
  store.run(
    `INSERT INTO variable (id, project_id, name, type, behaviour, description, value, double_resolution)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    projectId,
    variable.name,
    variable.type,
    variable.behaviour,
    variable.description ?? null,
    JSON.stringify(variable.value ?? null),
    variable.supportsDoubleResolution === true ? 1 : 0,
  );
  for (const [environment, value] of Object.entries(variable.overrides ?? {}))
    store.run('INSERT INTO variable_override VALUES (?, ?, ?)', id, environment, JSON.stringify(value));
}

function plantCredential(
  store: Store,
  credential: ReadySeed['credentials'][number],
  ids: Ids,
  now: number,
): void {
  const id = ids.uuid();
  const clientSecret =
    credential.clientId === undefined ? null : (credential.clientSecret ?? ids.token('secret'));
  store.run(
    'INSERT INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    credential.name,
    credential.email ?? `${credential.name}@example.com`,
    credential.role,
    credential.accessLevel ?? null,
    accessTo(credential.projects),
    credential.clientId ?? null,
    clientSecret,
  );
  store.run(
    'INSERT INTO token VALUES (?, ?, ?, ?)',
    credential.token ?? ids.token('local'),
    id,
    credential.state === 'expired' ? now : null,
    credential.state === 'revoked' ? 1 : 0,
  );
}

/** Access levels by project name; without an entry the default of the environment applies. */
function accessTo(projects: ReadySeed['credentials'][number]['projects']): string | null {
  if (projects === undefined) return null;
  const levels = Array.isArray(projects)
    ? projects.map((name) => [name, null] as const)
    : Object.entries(projects);
  return JSON.stringify(Object.fromEntries(levels));
}
