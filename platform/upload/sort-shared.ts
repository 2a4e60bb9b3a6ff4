import { sharedFile } from '../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { SharedPipeline } from '../../lib/pipelines/model/shared-pipelines.ts';
import type { IgnoredResource } from './unreadable-pipelines.ts';

export interface IncludedPipeline {
  readonly id: string;
  readonly source: string;
  readonly description: string | undefined;
}

/**
 * Sorts the files of an upload: those that become part of the version, and those that do not, with the reason.
 * Called pipelines and scripts are included without being shared.
 */
export function sortShared(files: readonly string[], listed: readonly SharedPipeline[]) {
  const paths = new Set(files);
  const included: IncludedPipeline[] = [];
  const ignored: IgnoredResource[] = [];
  for (const { pipeline, id, enabled, description } of listed) {
    const file = sharedFile(pipeline, paths);
    if (!enabled) ignored.push({ name: pipeline, reason: 'It is not shared: enabled is false' });
    else if (file === undefined)
      ignored.push({ name: pipeline, reason: 'The file is not part of the upload' });
    else included.push({ id, source: withoutSuffix(file), description });
  }
  return { included, ignored };
}
