import { chooseRollback, placeOf } from './choose-rollback.ts';
import type { PlatformContext } from '../context/context.ts';
import {
  type RemovedSharedId,
  removedSharedIds,
  latestShared,
  describeRemovedId,
} from '../versions/removed-shared-ids.ts';
import { listSharedVersions } from '../versions/list-shared-versions.ts';

export interface SharedRollbackRequest {
  readonly prefix: string;
  /** The version to disable. With it, a second call changes nothing; without it, each call goes back one version. */
  readonly version?: string | undefined;
  readonly dryRun: boolean;
}

export interface SharedRollbackReport {
  readonly outcome: 'passed' | 'already-done';
  readonly prefix: string;
  readonly disabled: string;
  /** The version that `[Latest]` now refers to (spec §2.11). */
  readonly live: string;
  /** Shared pipelines that the disabled version has and the live one lacks. */
  readonly removedIds: readonly RemovedSharedId[];
  readonly dryRun: boolean;
}

/**
 * Rolls shared pipelines back: disables the newest enabled version of a prefix, so that `[Latest]` refers to the
 * previous one again (spec §3.3). The last enabled version is never disabled (spec §4.8 rule 2).
 * Throws Failure 'nothing-to-roll-back-to', 'usage' if the named version is not the newest enabled one, and what the
 * client throws.
 */
export async function rollBackShared(
  { prefix, version, dryRun }: SharedRollbackRequest,
  context: Pick<PlatformContext, 'client' | 'signal' | 'progress' | 'logger'>,
): Promise<SharedRollbackReport> {
  const { client, signal, progress, logger } = context;
  const versions = await listSharedVersions(prefix, context);
  const chosen = chooseRollback(versions, { version, place: placeOf({ prefix }) });
  const { outcome, disabled, live } = chosen;
  if (outcome === 'already-done') return { outcome, prefix, disabled, live, removedIds: [], dryRun };

  const remaining = await client.sharedArtifacts.details(
    { sharedPipelineIdPrefix: prefix, versionName: live },
    { signal },
  );
  const next = remaining.sharedPipelines.map(({ sharedPipelineId, sourcePipeline }) => ({
    id: sharedPipelineId,
    pipeline: sourcePipeline,
  }));
  const removedIds = removedSharedIds(await latestShared(prefix, context), next);
  for (const removed of removedIds) logger.warn(describeRemovedId(removed));
  if (!dryRun) {
    progress.step(`Disabling the shared version ${disabled} of ${prefix}`);
    const input = { sharedPipelineIdPrefix: prefix, versionName: disabled, enabled: false };
    await client.sharedArtifacts.setEnabled(input, { signal });
  }
  return { outcome, prefix, disabled, live, removedIds, dryRun };
}
