import { versionDenial } from '../../../flows/versions/version-order.ts';
import { admit, promotionIdOf } from './admit.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Admission } from '../../store/admission.ts';
import type { GitHubReads, LiveVersions, Queues, Records, Telemetry } from '../context/ports.ts';
import type { Advances } from '../../store/advances/advances.ts';
import { compareNames } from '../../../flows/versions/newer-version.ts';
import { anyVersion, laneVersions } from './lane-versions.ts';
import { withUnlistedAuthors } from '../advance/unlisted-authors.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** Attempts to admit a version while others change the lane. */
const maxAttempts = 10;

/**
 * Admits a verified version to the following lanes, after all versions that were verified before it: if their
 * worker was killed before it admitted them, a newer version must not overtake them. Repeating it creates no second
 * promotion, because the id derives from this promotion, and a lane accepts only what is newer than its last
 * promotion.
 */
export async function follow(
  promotion: PromotionRecord,
  ports: Records<Admission & Advances & LaneReads> &
    Queues &
    GitHubReads &
    Pick<Telemetry, 'logger'> &
    Pick<LiveVersions, 'live'>,
): Promise<void> {
  for (const id of await ports.store.followingIds(promotion.lane)) {
    const earlier = await ports.store.promotion(id);
    if (earlier !== undefined && earlier.seq < promotion.seq) await followOne(earlier, ports);
  }
  await followOne(promotion, ports);
}

async function followOne(
  promotion: PromotionRecord,
  ports: Records<Admission & Advances & LaneReads> &
    Queues &
    GitHubReads &
    Pick<Telemetry, 'logger'> &
    Pick<LiveVersions, 'live'>,
): Promise<void> {
  const { id, task, version = '' } = promotion;
  for (const lane of task.lane.next) {
    const denial = versionDenial(version, lane.versions ?? anyVersion);
    if (denial === undefined) await admitTo(lane, promotion, ports);
    else {
      const note = { kind: 'note', what: 'not-followed', data: { lane: lane.name, reason: denial } } as const;
      await ports.store.record({ lane: promotion.lane, promotion: id, fence: '' }, note);
    }
  }
  await ports.store.finishFollowing(id);
}

async function admitTo(
  lane: PromotionLane,
  promotion: PromotionRecord,
  ports: Records<Admission & LaneReads> &
    Queues &
    GitHubReads &
    Pick<Telemetry, 'logger'> &
    Pick<LiveVersions, 'live'>,
): Promise<void> {
  // An operator's request was for the first lane only. The authors are read again: those since the version that
  // the following lane verified last.
  const {
    task: { request: _request, authorsReadFrom: _from, ...task },
    version = '',
    artifactCommit,
    seq,
  } = promotion;
  const named = {
    kind: 'named',
    name: version,
    ...(artifactCommit === undefined ? {} : { commit: artifactCommit }),
  } as const;
  const followingTask = await withUnlistedAuthors(
    { ...task, lane, version: named, mayHaveOtherAuthors: true },
    ports,
  );
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const expectedSeq = await ports.store.laneSeq(lane.id);
    const compared = compareNames(version, await laneVersions(lane, ports), lane.versions ?? anyVersion);
    const isOlder = compared.order === 'older';
    const { status } = await admit(
      {
        promotionId: promotionIdOf(lane.id, promotion.id),
        task: followingTask,
        order: isOlder ? 'older' : 'greater',
        newer: isOlder
          ? { name: compared.than.name ?? '', isSameCommit: compared.than.commit === task.commit }
          : undefined,
        head: { field: `after:${task.lane.name}`, value: String(seq) },
        expectedSeq,
      },
      ports,
    );
    if (status === 'lost')
      throw new Error('Redis lost the records of the worker; the lanes must be rebuilt first');
    if (status !== 'changed') return;
  }
  throw new Error(`the lane ${lane.name} changed ${maxAttempts} times while a version was admitted to it`);
}
