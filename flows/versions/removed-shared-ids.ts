import { NotFound } from '../../client/index.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PlatformContext } from '../context/context.ts';

/** A shared pipeline that is in the newest enabled version but not in the next one, so that its callers will fail. */
export interface RemovedSharedId {
  readonly id: string;
  /** The version that has it. */
  readonly version: string;
  /** The new id of the same pipeline. */
  readonly renamedTo?: string;
}

/** The newest enabled version of shared pipelines, to which `[Latest]` refers (spec §2.11). */
export interface LatestShared {
  readonly artifactDetails: { readonly versionName: string; readonly commitHash?: string | null | undefined };
  readonly sharedPipelines: readonly { readonly sharedPipelineId: string; readonly sourcePipeline: string }[];
}

/** Finds the newest enabled version; undefined if no version of the prefix is enabled. */
export async function latestShared(
  prefix: string,
  { client, signal }: Pick<PlatformContext, 'client' | 'signal'>,
): Promise<LatestShared | undefined> {
  try {
    return await client.sharedArtifacts.details({ sharedPipelineIdPrefix: prefix }, { signal });
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** The ids that consumers will miss, compared with the newest enabled version. An id must never change (spec §2.11). */
export function removedSharedIds(
  latest: LatestShared | undefined,
  next: readonly { readonly id: string; readonly pipeline: string }[],
): RemovedSharedId[] {
  return (latest?.sharedPipelines ?? [])
    .filter(({ sharedPipelineId }) => !next.some(({ id }) => id === sharedPipelineId))
    .map(({ sharedPipelineId, sourcePipeline }) => {
      const now = next.find(({ pipeline }) => withoutSuffix(pipeline) === withoutSuffix(sourcePipeline));
      return {
        id: sharedPipelineId,
        version: latest?.artifactDetails.versionName ?? '',
        ...(now === undefined ? {} : { renamedTo: now.id }),
      };
    });
}

/** The warning about a removed id. */
export function describeRemovedId({ id, version, renamedTo }: RemovedSharedId): string {
  const what = renamedTo === undefined ? 'is no longer shared' : `is now called "${renamedTo}"`;
  return `The shared pipeline "${id}" of version ${version} ${what}: pipelines that call it will fail.`;
}
