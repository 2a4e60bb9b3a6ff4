import type { Ids } from '../random/ids.ts';
import type { Store } from '../store/store.ts';
import type { ProjectSeed, ReadySeed } from '../seed/seed-schema.ts';
import { findRunner, firstRunner } from './runners.ts';

interface Planting {
  readonly projectId: string;
  /** The connection of an environment that names none. */
  readonly connection: { readonly name: string; readonly authProvider: string } | undefined;
  readonly environment: ProjectSeed['environments'][number];
  readonly seed: Pick<ReadySeed, 'agents' | 'settings'>;
  readonly ids: Ids;
}

/** Creates an environment of the seed. A seed may only give its name; the other fields that §2.3 requires are added. */
export function plantEnvironment(store: Store, planting: Planting): void {
  const { projectId, connection, seed, ids } = planting;
  const environment =
    typeof planting.environment === 'string' ? { name: planting.environment } : planting.environment;
  const agentId = environment.defaultAgentId ?? firstRunner(seed) ?? ids.uuid();
  const accessLevel = environment.defaultUserAccessLevel ?? 'default';
  const definition = {
    displayName: environment.name,
    defaultConnections: {
      DWH: connection === undefined ? {} : { [connection.authProvider]: connection.name },
    },
    connectionOverrides: [],
    ...environment,
    defaultAgentId: agentId,
    defaultUserAccessLevel: accessLevel,
  };
  store.run(
    `INSERT INTO environment (project_id, name, agent_id, agent_name, access_level, definition)
     VALUES (?, ?, ?, ?, ?, ?)`,
    projectId,
    definition.name,
    agentId,
    findRunner(store, seed, agentId)?.name ?? '',
    accessLevel,
    JSON.stringify(definition),
  );
}
