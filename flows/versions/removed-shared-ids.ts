import { NotFound } from '../../client/index.ts';
import { withoutSuffix } from '../../lib/pipelines/pipeline-kind.ts';
import type { PlatformContext } from '../context/context.ts';

/** A shared pipeline that the newest enabled version has and the next will not: who calls it will fail. */
export interface RemovedSharedId {
  readonly id: string;
  /** The version that has it. */
  readonly version: string;
  /** The id that the same pipeline goes by now. */
  readonly renamedTo?: string;
}

/** What consumers will miss, against the newest enabled version (spec §2.11: an id is stable for ever). */
export async function removedSharedIds(
  prefix: string,
  next: readonly { readonly id: string; readonly pipeline: string }[],
  { client, signal }: Pick<PlatformContext, 'client' | 'signal'>,
): Promise<RemovedSharedId[]> {
  try {
    const { artifactDetails, sharedPipelines } = await client.sharedArtifacts.details(
      { sharedPipelineIdPrefix: prefix },
      { signal },
    );
    return sharedPipelines
      .filter(({ sharedPipelineId }) => !next.some(({ id }) => id === sharedPipelineId))
      .map(({ sharedPipelineId, sourcePipeline }) => {
        const now = next.find(({ pipeline }) => withoutSuffix(pipeline) === withoutSuffix(sourcePipeline));
        return {
          id: sharedPipelineId,
          version: artifactDetails.versionName,
          ...(now === undefined ? {} : { renamedTo: now.id }),
        };
      });
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

/** One of them as a sentence. */
export function describeRemovedId({ id, version, renamedTo }: RemovedSharedId): string {
  const what = renamedTo === undefined ? 'is not shared any more' : `is now called "${renamedTo}"`;
  return `The shared pipeline "${id}" of version ${version} ${what}: pipelines that call it will fail.`;
}
