import { readPage } from '../store/page.ts';
import type { AreaHandlers } from './handler.ts';

interface Row {
  readonly prefix: string;
  readonly shared_id: string;
  readonly description: string | null;
  readonly version_name: string;
}

/**
 * Lists every shared pipeline that a consumer can run, from the newest enabled version of its prefix (spec §4.8). A
 * prefix whose versions are all disabled is not listed (rule 2).
 */
export const sharedPipelines: AreaHandlers<'sharedPipelines'> = {
  'sharedPipelines.list': ({ query }, world) =>
    readPage<Row, unknown>(
      world.store,
      query,
      {
        sql: `SELECT a.prefix, p.shared_id, p.description, a.version_name
              FROM shared_artifact a JOIN shared_pipeline p ON p.artifact_seq = a.seq
              WHERE a.seq IN (SELECT max(seq) FROM shared_artifact WHERE enabled = 1 GROUP BY prefix)
              ORDER BY a.prefix, p.shared_id`,
      },
      (row) => ({
        sharedPipelineIdPrefix: row.prefix,
        sharedPipelineId: row.shared_id,
        description: row.description,
        latestVersionName: row.version_name,
      }),
    ),
};
