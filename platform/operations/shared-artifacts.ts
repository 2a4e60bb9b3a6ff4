import { recordEffect } from '../world/effect.ts';
import { readPage } from '../store/page.ts';
import type { AreaHandlers } from './handler.ts';
import { publishShared } from './publish-shared.ts';
import { requireShared, type SharedVersion, showShared } from './shared-versions.ts';

interface PipelineRow {
  readonly shared_id: string;
  readonly source_pipeline: string;
  readonly description: string | null;
}

/** Versions of shared pipelines (spec §4.8). */
export const sharedArtifacts: AreaHandlers<'sharedArtifacts'> = {
  'sharedArtifacts.publish': publishShared,

  'sharedArtifacts.list': ({ query }, world) => {
    const { sharedPipelineIdPrefix: prefix = null, includeDisabled = false } = query;
    return readPage<SharedVersion, unknown>(
      world.store,
      query,
      {
        sql: `SELECT * FROM shared_artifact WHERE (? IS NULL OR prefix = ?) AND (enabled = 1 OR ?) ORDER BY seq DESC`,
        values: [prefix, prefix, includeDisabled ? 1 : 0],
      },
      (row) => showShared(world, row),
    );
  },

  'sharedArtifacts.details': ({ query }, world) => {
    const artifact = requireShared(world, query.sharedPipelineIdPrefix, query.versionName);
    const pipelines = world.store.all<PipelineRow>(
      'SELECT shared_id, source_pipeline, description FROM shared_pipeline WHERE artifact_seq = ? ORDER BY shared_id',
      artifact.seq,
    );
    return {
      artifactDetails: showShared(world, artifact),
      sharedPipelines: pipelines.map((row) => ({
        sharedPipelineId: row.shared_id,
        sourcePipeline: row.source_pipeline,
        description: row.description,
      })),
    };
  },

  'sharedArtifacts.setEnabled': ({ body, caller, operation, requestId }, world) =>
    world.store.transaction(() => {
      const { sharedPipelineIdPrefix: prefix, versionName, enabled } = body;
      const artifact = requireShared(world, prefix, versionName);
      if ((artifact.enabled === 1) === enabled) return body;
      world.store.run('UPDATE shared_artifact SET enabled = ? WHERE seq = ?', enabled ? 1 : 0, artifact.seq);
      recordEffect(world, {
        operation,
        caller,
        requestId,
        effect: enabled ? 'enabled' : 'disabled',
        subject: { type: 'sharedArtifact', id: `${prefix}/${versionName}`, name: versionName },
        description: `Version "${versionName}" of the shared pipelines "${prefix}" was ${enabled ? 'enabled' : 'disabled'}`,
      });
      return body;
    }),
};
