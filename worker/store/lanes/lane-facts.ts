import type { LaneRecord } from './lane-record.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LiveRecord } from '../live/live-store.ts';

/** The facts that are compared: what the lane's records say, and what the platform says is live. */
export interface LaneFacts {
  readonly lane: Pick<LaneRecord, 'id' | 'to' | 'verified' | 'waiting' | 'holds'>;
  readonly live: LiveRecord;
  /** The promotion that has the lane. */
  readonly active: Pick<PromotionRecord, 'version' | 'step' | 'intent'> | undefined;
  /** The promotion that the lane accepted last: what it wants. */
  readonly last: Pick<PromotionRecord, 'version' | 'outcome' | 'task' | 'rolledBack'> | undefined;
}

/** Whether the live, the verified and the wanted version of a lane agree. */
export interface Agreement {
  /** `unknown`: the platform does not answer, or has not answered since the environment changed. */
  readonly kind: 'in-step' | 'out-of-step' | 'unknown';
  /** The disagreements, one sentence each. */
  readonly disagreements: readonly string[];
  /** Another lane promoted the live version: no action is needed. */
  readonly byAnotherLane: boolean;
}

/** Milliseconds after which an answer is too old to compare. */
const currentMs = 600_000;

/**
 * Whether the last answer may be compared: the platform answers, and no worker has changed the environment
 * since.
 */
function isCurrent({ answer, changedSince, failure }: LiveRecord, now: number): boolean {
  return answer !== undefined && now - answer.at <= currentMs && !changedSince && failure === undefined;
}

/**
 * Compares the live version with the version that the lane verified last and with the wanted one. A running
 * promotion explains a live version that is not verified yet. A roll-back explains an older live version, because
 * its hold needed attention until a person lifted it. A version that waits or is being promoted need not be live
 * yet.
 */
export function compareFacts({ lane, live, active, last }: LaneFacts, now: number): Agreement {
  if (!isCurrent(live, now)) return { kind: 'unknown', disagreements: [], byAnotherLane: false };
  const { to } = lane;
  const liveVersion = live.answer?.version;
  const verified = lane.verified?.version;
  const disagreements: string[] = [];
  if (
    liveVersion !== verified &&
    !isBeingVerified(liveVersion, active) &&
    !isAcknowledged(liveVersion, lane, last)
  ) {
    const there =
      liveVersion === undefined ? `no version is enabled in ${to}` : `${liveVersion} is live in ${to}`;
    disagreements.push(
      verified === undefined
        ? `${there}, but this lane has not verified any version`
        : `${there}, but this lane verified ${verified} last`,
    );
  }
  const moves = active !== undefined || lane.waiting.length > 0;
  const wantedVersion = last?.version;
  if (
    !moves &&
    last !== undefined &&
    isWanted(last) &&
    last.outcome !== 'superseded' &&
    wantedVersion !== verified &&
    wantedVersion !== liveVersion
  ) {
    const what = wantedVersion ?? `the version of commit ${last.task.commit.slice(0, 12)}`;
    disagreements.push(`${what} should be live in ${to}, but ${liveVersion ?? 'no version'} is`);
  }
  const { brought } = live;
  return {
    kind: disagreements.length === 0 ? 'in-step' : 'out-of-step',
    disagreements,
    byAnotherLane: liveVersion !== undefined && brought?.version === liveVersion && brought.lane !== lane.id,
  };
}

/** Whether the lane still wants the version that it accepted last: not if its promotion was cancelled. */
export function isWanted({ outcome }: Pick<PromotionRecord, 'outcome'>): boolean {
  return outcome !== 'cancelled';
}

/** A person rolled the verified version back to it, and lifted the hold for that. */
function isAcknowledged(
  liveVersion: string | undefined,
  { holds, verified }: LaneFacts['lane'],
  last: LaneFacts['last'],
): boolean {
  const rolledBack = last?.rolledBack;
  if (liveVersion === undefined || holds.length > 0 || rolledBack?.outside === true) return false;
  return rolledBack?.live === liveVersion && last?.version === verified?.version;
}

/** It is in the target, and its verification has not ended. */
function isBeingVerified(liveVersion: string | undefined, active: LaneFacts['active']): boolean {
  if (liveVersion === undefined || active?.version !== liveVersion) return false;
  return active.intent !== undefined || !['resolve', 'promote'].includes(active.step.name);
}
