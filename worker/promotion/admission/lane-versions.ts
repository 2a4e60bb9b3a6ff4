import type { KnownVersion } from '../../../flows/versions/newer-version.ts';
import type { VersionRule } from '../../records/configured.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { LiveVersions, Records } from '../context/ports.ts';

/** The rule for a task that an older worker wrote: any version is allowed. */
export const anyVersion: VersionRule = { order: 'auto', prereleases: true };

/**
 * All versions to which the lane's automatic promotions are compared, so that they never go back: the versions that
 * it has verified, wants or promotes, and the live one of its target. A version that was rolled back does not count
 * unless it is live again. `freshRecord`: the record of the lane, if it was just read.
 */
export async function laneVersions(
  lane: Pick<PromotionLane, 'id' | 'project' | 'to'>,
  { store, live }: Records<LaneReads> & Pick<LiveVersions, 'live'>,
  freshRecord?: LaneRecord,
): Promise<readonly KnownVersion[]> {
  const record = freshRecord ?? (await store.lane(lane.id));
  if (record === undefined) return [];
  const { active, waiting, verified, found: foundVersion, takenOut, verifiedTakenOut } = record;
  const ids = [...(active === undefined ? [] : [active]), ...waiting];
  const [open, proven, { answer, changedSince }] = await Promise.all([
    Promise.all(ids.map((id) => store.promotion(id))),
    verified && store.promotion(verified.promotion),
    live.read({ project: lane.project, environment: lane.to }),
  ]);
  // The roll-back may have gone through another lane to the same environment. A version that was disabled outside
  // Millrace counts until the lane is held for that.
  const rolledBack =
    proven?.rolledBack !== undefined && proven.rolledBack.outside !== true ? proven.version : undefined;
  const isThere = ({ name }: KnownVersion): boolean =>
    name === undefined || ![takenOut, verifiedTakenOut, rolledBack].includes(name);
  const proved = [
    ...(verified === undefined
      ? []
      : [{ name: verified.version, commit: proven?.task.commit ?? verified.commit, ref: proven?.task.ref }]),
    ...(foundVersion === undefined ? [] : [{ name: foundVersion.version, commit: foundVersion.commit }]),
  ].filter(isThere);
  const answered = answer?.version === undefined ? [] : [{ name: answer.version, commit: answer.commit }];
  return [
    ...open.filter(isWanted).map(describe),
    ...proved,
    // An answer from before the last change may name what was taken out.
    ...(changedSince ? answered.filter(isThere) : answered),
  ];
}

function isWanted(promotion: PromotionRecord | undefined): promotion is PromotionRecord {
  return promotion !== undefined && promotion.cancel === undefined && promotion.step.name !== 'roll-back';
}

function describe({ version, task }: PromotionRecord): KnownVersion {
  const named = task.version.kind === 'named' ? task.version.name : undefined;
  return { name: version ?? named, commit: task.commit, ref: task.ref };
}
