import type { Via } from '../../records/audit-entry.ts';

/**
 * The cause of a hold. `manual`: a person. `rolled-back`: a manual roll-back. `state-lost`: the records were lost.
 * `state-older`: Redis lost its newest records. `journal-missing`: after a restart of Redis, the journal of a
 * worker was not compared. `indeterminate`: the outcome of a promotion is unknown. `failed`: a verification or a
 * roll-back failed. `plan-changed`: a version was promoted under another plan than the approved one. `stuck`: the
 * worker could not continue. `disabled`: the live version was disabled outside Millrace.
 */
export type HoldCause =
  | 'manual'
  | 'rolled-back'
  | 'state-lost'
  | 'state-older'
  | 'journal-missing'
  | 'indeterminate'
  | 'failed'
  | 'plan-changed'
  | 'stuck'
  | 'disabled';

/** A hold as its creator gives it, without an id. */
export interface GivenHold {
  readonly cause: HoldCause;
  readonly by: string;
  /** The entrance it was set through; absent in holds of older workers. */
  readonly via?: Via;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The promotion that it is about, if any. */
  readonly promotion?: string | undefined;
}

/** One of the reasons why a lane is on hold. Each hold is lifted separately, by its unique id. */
export interface Hold extends GivenHold {
  readonly id: string;
}

/** A lane as Redis stores it. */
export interface LaneRecord {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  /**
   * The version that this lane has verified last. The live version is another fact, which only the platform
   * knows (`worker/promotion/live/`).
   */
  readonly verified:
    | {
        readonly seq: number;
        readonly version: string;
        readonly promotion: string;
        readonly at: number;
        /** Commit of its artifact; undefined if the platform does not say it, or an older worker verified it. */
        readonly commit?: string | undefined;
      }
    | undefined;
  /**
   * The version that executions used in the target when the lane was rebuilt after a loss. Its verification is
   * unknown.
   */
  readonly found: { readonly version: string; readonly commit: string } | undefined;
  /** The version that was last taken out of the target: rolled back, or disabled outside Millrace. */
  readonly takenOut: string | undefined;
  /** The verified version, once it was taken out of the target. */
  readonly verifiedTakenOut: string | undefined;
  readonly active: string | undefined;
  /** Promotion ids, next first. */
  readonly waiting: readonly string[];
  /** The lane is held while there is one; oldest first. */
  readonly holds: readonly Hold[];
  /** The commit accepted last. */
  readonly lastCommit: string | undefined;
  /** The promotion accepted last, without those that arrived too late to count. */
  readonly lastPromotion: string | undefined;
  /** The promotion with the newest settings of the lane: of a push, not of an operator’s retry or request. */
  readonly lastAccepted: string | undefined;
}

/** Whether the lane has verified a later promotion, so that this one will never continue. */
export function isPassedBy(
  { seq }: { readonly seq: number },
  lane: Pick<LaneRecord, 'verified'> | undefined,
): boolean {
  return lane?.verified !== undefined && seq <= lane.verified.seq;
}

export function readLane(
  id: string,
  hash: Readonly<Record<string, string>>,
  waiting: readonly string[],
): LaneRecord | undefined {
  if (hash['name'] === undefined) return undefined;
  return {
    id,
    name: hash['name'],
    repository: hash['repository'] ?? '',
    project: hash['project'] ?? '',
    from: hash['from'] ?? '',
    to: hash['to'] ?? '',
    seq: Number(hash['seq'] ?? 0),
    ...verifiedIn(hash),
    takenOut: hash['takenOut'],
    // The scripts also answer `noticed` if a hold for it was recorded before.
    verifiedTakenOut: hash['noticed'],
    active: hash['active'],
    waiting,
    // Written by our own scripts only.
    holds: hash['hold'] === undefined ? [] : (JSON.parse(hash['hold']) as readonly Hold[]),
    lastCommit: hash['lastCommit'],
    lastPromotion: hash['lastPromotion'],
    lastAccepted: hash['lastAccepted'] ?? hash['lastPlanned'],
  };
}

/**
 * The fields keep the names that older workers on the same Redis know: `live…` contains the verified version.
 */
function verifiedIn(hash: Readonly<Record<string, string>>): Pick<LaneRecord, 'verified' | 'found'> {
  const {
    liveVersion: version,
    liveSeq = '0',
    livePromotion: promotion = '',
    liveAt = '0',
    liveCommit: commit = '',
  } = hash;
  if (version === undefined) return { verified: undefined, found: undefined };
  if (hash['livePromotion'] === '') return { verified: undefined, found: { version, commit } };
  const verified = {
    seq: Number(liveSeq),
    version,
    promotion,
    at: Number(liveAt),
    commit: commit || undefined,
  };
  return { verified, found: undefined };
}
