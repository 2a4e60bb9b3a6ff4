import { NotFound } from '../../../client/index.ts';
import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { LiveVersions, Records } from '../../promotion/context/ports.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** Promotions of the following lane that are searched for the version. */
const maxSearched = 200;

/**
 * Looks for a sign that an open promotion was already verified, and that the records of this were lost: the target
 * of a following lane has its version, and the records do not say how. Returns the text about it, or undefined.
 * `artifactsIn` reads an environment of the project.
 */
export async function foundAhead(
  open: readonly PromotionRecord[],
  artifactsIn: (environment: string) => Promise<readonly ArtifactVersion[]>,
  ports: Records<LaneReads> & Pick<LiveVersions, 'live'>,
): Promise<string | undefined> {
  for (const { version, task } of open) {
    // Without a verification, nothing is repeated.
    if (version === undefined || task.lane.verify.length === 0) continue;
    for (const next of task.lane.next) {
      const there = await artifactsIn(next.to).catch(noneIfAbsent);
      if (!there.some(({ versionName }) => versionName === version)) continue;
      if (await isRecorded(next, version, ports)) continue;
      return `${version} is in ${next.to}, the target of ${next.name}, which follows ${task.lane.name}, but the records do not say how it got there`;
    }
  }
  return undefined;
}

/** An environment that was removed since must not stop the lane. */
function noneIfAbsent(error: unknown): readonly ArtifactVersion[] {
  if (error instanceof NotFound) return [];
  throw error;
}

async function isRecorded(
  { id, project, to }: PromotionLane,
  version: string,
  { store, live }: Records<LaneReads> & Pick<LiveVersions, 'live'>,
): Promise<boolean> {
  const [liveRecord, verified] = await Promise.all([
    live.read({ project, environment: to }),
    store.verifiedVersions({ project, environment: to }, id),
  ]);
  if ([liveRecord.answer?.version, liveRecord.brought?.version, ...verified].includes(version)) return true;
  const ids = await store.promotionIdsOf([id], maxSearched);
  const promotions = await Promise.all(ids.map((promotionId) => store.promotion(promotionId)));
  return promotions.some((promotion) => promotion?.version === version);
}
