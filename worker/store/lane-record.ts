import type { Via } from '../records/audit-entry.ts';

/**
 * What set a hold. `manual`: a person. `rolled-back`: a roll-back by hand. `state-lost`: the records were lost.
 * `indeterminate`: nobody knows how a promotion ended. `failed`: a verification or a roll-back failed. `stuck`: the worker
 * could not go on. `disabled`: the live version was taken out past the worker.
 */
export type HoldCause =
  'manual' | 'rolled-back' | 'state-lost' | 'indeterminate' | 'failed' | 'stuck' | 'disabled';

/** A reason for nothing to move in a lane, as it is given. */
export interface GivenHold {
  readonly cause: HoldCause;
  readonly by: string;
  /** The way that it came in; absent in holds of older workers. */
  readonly via?: Via;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The promotion that it is about, where it is about one. */
  readonly promotion?: string | undefined;
}

/** One of the reasons why nothing moves in a lane. Each is released for itself: by its id, which no other has. */
export interface Hold extends GivenHold {
  readonly id: string;
}

/** A lane as Redis holds it. */
export interface LaneRecord {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  /** What this lane has verified last. What is live is another fact, which only the platform knows (`worker/live/`). */
  readonly verified:
    | { readonly seq: number; readonly version: string; readonly promotion: string; readonly at: number }
    | undefined;
  /** What executions used in the target when the lane was made again after its records were lost: nobody has verified it. */
  readonly found: { readonly version: string; readonly commit: string } | undefined;
  readonly active: string | undefined;
  /** Run ids, next first. */
  readonly waiting: readonly string[];
  /** Nothing moves while there is one; oldest first. */
  readonly holds: readonly Hold[];
  /** The commit that was accepted last. */
  readonly lastCommit: string | undefined;
  /** The promotion that was accepted last, but for those that came too late to count. */
  readonly lastPromotion: string | undefined;
}

/** Whether the lane has verified a promotion that was accepted after this one: this one never goes on. */
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
    active: hash['active'],
    waiting,
    // Written by our own scripts only.
    holds: hash['hold'] === undefined ? [] : (JSON.parse(hash['hold']) as readonly Hold[]),
    lastCommit: hash['lastCommit'],
    lastPromotion: hash['lastPromotion'],
  };
}

/** The fields keep the names that older workers on the same Redis know: `live…` holds what was verified. */
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
  return { verified: { seq: Number(liveSeq), version, promotion, at: Number(liveAt) }, found: undefined };
}
