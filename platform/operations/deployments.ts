import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';

/** A version in one environment. */
export interface Deployment {
  readonly seq: number;
  readonly artifact_id: number;
  readonly environment_name: string;
  readonly version_name: string;
  readonly enabled: number;
}

const columns = 'seq, artifact_id, environment_name, version_name, enabled';

/** Finds an environment by name. @throws Refusal 404 */
export function requireEnvironment(world: World, projectId: string, name: string): void {
  const row = world.store.get('SELECT 1 FROM environment WHERE project_id = ? AND name = ?', projectId, name);
  if (row === undefined) throw refuse(404, `The environment "${name}" does not exist.`);
}

export function findDeployment(
  world: World,
  projectId: string,
  environment: string,
  version: string,
): Deployment | undefined {
  return world.store.get<Deployment>(
    `SELECT ${columns} FROM deployment WHERE project_id = ? AND environment_name = ? AND version_name = ?`,
    projectId,
    environment,
    version,
  );
}

/** Finds a version in an environment. @throws Refusal 404 */
export function requireDeployment(
  world: World,
  projectId: string,
  environment: string,
  version: string,
): Deployment {
  const deployment = findDeployment(world, projectId, environment, version);
  if (deployment !== undefined) return deployment;
  throw refuse(404, `The environment "${environment}" has no version "${version}".`);
}

/** The version that an execution without `versionName` uses: the newest enabled one (spec §4.4 rule 1, §3.3). */
export function newestEnabled(world: World, projectId: string, environment: string): Deployment | undefined {
  return world.store.get<Deployment>(
    `SELECT ${columns} FROM deployment WHERE project_id = ? AND environment_name = ? AND enabled = 1
     ORDER BY seq DESC LIMIT 1`,
    projectId,
    environment,
  );
}

/** Puts a version into an environment as its newest. */
export function deploy(
  world: World,
  projectId: string,
  deployment: { readonly environment: string; readonly version: string; readonly artifactId: number },
): void {
  world.store.run(
    `INSERT INTO deployment (project_id, environment_name, version_name, artifact_id, enabled, deployed_at)
     VALUES (?, ?, ?, ?, 1, ?)`,
    projectId,
    deployment.environment,
    deployment.version,
    deployment.artifactId,
    world.clock.now(),
  );
}
