import { visibleEnvironments } from '../world/access-level.ts';
import { recordEffect } from '../world/effect.ts';
import { refuse } from '../refusal/refusal.ts';
import { readPage } from '../store/page.ts';
import { createArtifact } from './create-artifact.ts';
import { deploy, findDeployment, requireDeployment, requireEnvironment } from './deployments.ts';
import type { AreaHandlers } from './handler.ts';

interface ListRow {
  readonly version_name: string;
  readonly environment_name: string;
  readonly commit_hash: string;
  readonly branch: string | null;
  readonly enabled: number;
  readonly created_at: number;
  readonly deployed_at: number;
}

/** Project artifacts: create, promote, list, enable and disable (spec §4.3, §3.3). */
export const artifacts: AreaHandlers<'artifacts'> = {
  'artifacts.create': createArtifact,

  'artifacts.promote': ({ body, caller, operation, requestId, project }, world) =>
    world.store.transaction(() => {
      const { sourceEnvironmentName: from, targetEnvironmentName: to, versionName } = body;
      requireEnvironment(world, project.id, from);
      requireEnvironment(world, project.id, to);
      const source = requireDeployment(world, project.id, from, versionName);
      if (source.enabled === 0) throw refuse(409, `The version "${versionName}" is disabled in "${from}".`);
      const answer = { environmentName: to, versionName };
      // Unknowns §3: promoting a version that the target already has changes nothing.
      if (findDeployment(world, project.id, to, versionName) !== undefined) return answer;
      deploy(world, project.id, { environment: to, version: versionName, artifactId: source.artifact_id });
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'promoted',
        subject: { type: 'artifact', id: `${to}/${versionName}`, name: versionName },
        description: `Version "${versionName}" was promoted from "${from}" to "${to}"`,
      });
      return answer;
    }),

  'artifacts.list': ({ query, project, caller }, world) => {
    const { environmentName, includeDisabled = false } = query;
    const visible = visibleEnvironments(world, project, caller);
    return readPage<ListRow, unknown>(
      world.store,
      query,
      {
        sql: `SELECT d.version_name, d.environment_name, a.commit_hash, a.branch, d.enabled, a.created_at, d.deployed_at
              FROM deployment d JOIN artifact a ON a.id = d.artifact_id
              WHERE d.project_id = ? AND (? IS NULL OR d.environment_name = ?) AND (d.enabled = 1 OR ?)
                AND (? IS NULL OR d.environment_name IN (SELECT value FROM json_each(?)))
              ORDER BY d.seq DESC`,
        values: [
          project.id,
          environmentName ?? null,
          environmentName ?? null,
          includeDisabled ? 1 : 0,
          visible,
          visible,
        ],
      },
      (row) => ({
        versionName: row.version_name,
        environmentName: row.environment_name,
        commitHash: row.commit_hash,
        branch: row.branch,
        enabled: row.enabled === 1,
        createdAt: new Date(row.created_at).toISOString(),
        deployedAt: new Date(row.deployed_at).toISOString(),
      }),
    );
  },

  'artifacts.setEnabled': ({ body, caller, operation, requestId, project }, world) =>
    world.store.transaction(() => {
      const { environmentName, versionName, enabled } = body;
      requireEnvironment(world, project.id, environmentName);
      const deployment = requireDeployment(world, project.id, environmentName, versionName);
      if ((deployment.enabled === 1) === enabled) return body;
      world.store.run('UPDATE deployment SET enabled = ? WHERE seq = ?', enabled ? 1 : 0, deployment.seq);
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: enabled ? 'enabled' : 'disabled',
        subject: { type: 'artifact', id: `${environmentName}/${versionName}`, name: versionName },
        description: `Version "${versionName}" was ${enabled ? 'enabled' : 'disabled'} in "${environmentName}"`,
        ...(enabled ? {} : { event: 'Artifact disabled' }),
      });
      return body;
    }),
};
