import { visibleEnvironments } from '../world/access-level.ts';
import { readPage } from '../store/page.ts';
import type { AreaHandlers } from './handler.ts';

interface Row {
  readonly path: string;
  readonly published: number;
}

/** Pipelines of the newest enabled version of each environment, by their path (spec §4.4). */
export const publishedPipelines: AreaHandlers<'publishedPipelines'> = {
  'publishedPipelines.list': ({ query, project, caller }, world) => {
    const visible = visibleEnvironments(world, project, caller);
    return readPage<Row, unknown>(
      world.store,
      query,
      {
        sql: `SELECT f.path, max(d.deployed_at) AS published
              FROM deployment d JOIN artifact_file f ON f.artifact_id = d.artifact_id
              WHERE d.project_id = ? AND (? IS NULL OR d.environment_name = ?)
                AND d.seq IN (SELECT max(seq) FROM deployment WHERE enabled = 1 AND project_id = ? GROUP BY environment_name)
                AND (? IS NULL OR d.environment_name IN (SELECT value FROM json_each(?)))
                AND (f.path LIKE '%.orch.yaml' OR f.path LIKE '%.tran.yaml')
              GROUP BY f.path ORDER BY f.path`,
        values: [
          project.id,
          query.environmentName ?? null,
          query.environmentName ?? null,
          project.id,
          visible,
          visible,
        ],
      },
      (row) => ({ name: row.path, publishedTime: new Date(row.published).toISOString() }),
    );
  },
};
