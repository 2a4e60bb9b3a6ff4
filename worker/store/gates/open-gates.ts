import type { Via } from '../../records/audit-entry.ts';
import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript } from '../scripts/lane-script.ts';

/** Why an approval, a rejection or an override is refused. */
export type GateRefusal = 'unknown' | 'over' | 'begun' | 'no-version' | 'changed' | 'superseded' | 'ending';

const gateRefusals: readonly GateRefusal[] = [
  'unknown',
  'over',
  'begun',
  'no-version',
  'changed',
  'superseded',
  'ending',
];

interface Decision {
  readonly promotion: string;
  /** What the person saw. */
  readonly commit: string;
  readonly version: string;
  readonly by: string;
  readonly via: Via;
}

export interface ApproveArguments extends Decision {
  /** The digest of the plan that the person saw; undefined if they saw none. */
  readonly plan: string | undefined;
  readonly person: string;
  /** As JSON. */
  readonly approval: string;
  /** The comment that the approval is in; undefined for another way. */
  readonly comment: string | undefined;
  /** Writes nothing. */
  readonly dryRun: boolean;
}

/** Records one person's approval of a promotion, for its commit, version and plan. */
export const approve = laneScript<ApproveArguments, 'ok' | 'already' | GateRefusal>(
  import.meta.dirname,
  'approve.lua',
  statusIn('ok', 'already', ...gateRefusals),
  { isWord: (status, { dryRun }) => status === 'ok' && !dryRun },
);

export interface RejectArguments extends Decision {
  /** As JSON. */
  readonly rejection: string;
  /** What ends the promotion, as shown. */
  readonly text: string;
  /** The comment that the rejection is in; undefined for another way. */
  readonly comment: string | undefined;
  /** Writes nothing. */
  readonly dryRun: boolean;
}

/** Records one person's rejection of a promotion, for its commit and version. */
export const reject = laneScript<RejectArguments, 'ended' | 'requested' | GateRefusal>(
  import.meta.dirname,
  'reject.lua',
  statusIn('ended', 'requested', ...gateRefusals),
  { isWord: (status, { dryRun }) => (status === 'ended' || status === 'requested') && !dryRun },
);

export interface OverrideArguments extends Decision {
  /** As JSON. */
  readonly override: string;
}

/** Lets one promotion, for its commit and version, continue during freezes. */
export const overrideFreeze = laneScript<OverrideArguments, 'ok' | GateRefusal>(
  import.meta.dirname,
  'override-freeze.lua',
  statusIn('ok', ...gateRefusals),
  { isWord: (status) => status === 'ok' },
);

/** Lets one promotion, for its commit and version, continue without evidence. */
export const passEvidence = laneScript<OverrideArguments, 'ok' | GateRefusal>(
  import.meta.dirname,
  'pass-evidence.lua',
  statusIn('ok', ...gateRefusals),
  { isWord: (status) => status === 'ok' },
);

export interface RolledBackArguments {
  readonly lane: string;
  /** The version that was disabled in the target. */
  readonly version: string;
  /** The version that is live instead. */
  readonly live: string;
  readonly by: string;
  /** `worker` writes no audit. */
  readonly via: Via;
  /** JSON. */
  readonly data: string;
  /** For GitHub. */
  readonly text: string;
}

/** Records that a version was rolled back in a lane's target. Returns the promotions that need a new report. */
export const rolledBack = laneScript<RolledBackArguments, readonly string[]>(
  import.meta.dirname,
  'rolled-back.lua',
  (answer) => answer,
  { isWord: (_touched, { via }) => via !== 'worker' },
);

export interface PusherArguments {
  readonly lane: string;
  readonly ref: string;
  readonly commit: string;
  /** As JSON; undefined if the event does not name the pusher of the head. */
  readonly pusher: string | undefined;
  readonly login: string | undefined;
  /** Logins of the authors of the pushed commits. */
  readonly authors: readonly string[];
  /** GitHub's ids of these authors, by login, as far as they are known. */
  readonly authorIds: Readonly<Record<string, number>>;
}

/**
 * Records who pushed a head and who wrote its commits, in all promotions of the lane with that head. Returns the
 * promotion to advance now, or ''.
 */
export const learnPusher = laneScript<PusherArguments, string>(
  import.meta.dirname,
  'learn-pusher.lua',
  ([, waiting = '']) => waiting,
);
