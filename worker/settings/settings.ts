import { maxRefusalMs } from '../../flows/run/poll-errors.ts';
import { githubLimits, type WriteLimits } from '../rate-limit/write-budget.ts';

/** What may be tuned about a worker; times in milliseconds. Tests shorten some. */
export interface WorkerSettings {
  /** Prefix of all keys in Redis; braces keep them in one slot of a cluster. */
  readonly prefix: string;
  readonly maxBodyBytes: number;
  /** Bytes of all bodies being read at once. */
  readonly maxBodiesBytes: number;
  /** A delivery that Redis has not taken by then is answered 503. */
  readonly acceptWithinMs: number;
  /** How many turns of promotions one process takes at once. */
  readonly concurrency: number;
  /** A worker that says nothing for so long has lost its jobs. */
  readonly lockMs: number;
  readonly stalledMs: number;
  readonly reconcileMs: number;
  /** How long a promotion waits for its artifact to be published. */
  readonly artifactWaitMs: number;
  /** Scales the waits between two looks at an execution or a list. */
  readonly pollScale: number;
  /** An execution that the platform does not find for so long is no longer known to it; a shorter time may pass. */
  readonly missingMs: number;
  /** A push waits so long for those of its repository that came before, where its lane runs every one. */
  readonly orderMs: number;
  /** The platform takes what `requests-per-minute` says in so long; anything but a minute is for tests. */
  readonly rateLimitWindowMs: number;
  /** How long a status is tried to be told to GitHub. */
  readonly reportForMs: number;
  /** So long one sender has a report; longer than GitHub may take to answer. */
  readonly reportLeaseMs: number;
  /** How often it is looked for pushes that were missed. */
  readonly sweepMs: number;
  /** How often it is looked whether somebody wants that sooner. */
  readonly sweepTickMs: number;
  /** Interval between two questions what is live in an environment. */
  readonly liveMs: number;
  /** Interval between looks for environments that are due to be asked about. */
  readonly liveTickMs: number;
  /** How often it is looked for notifications that are due. */
  readonly notifyTickMs: number;
  /** What may be written to GitHub, by all workers together. */
  readonly githubLimits: WriteLimits;
  /** After that a stop no longer waits for jobs that are being done. */
  readonly stopWithinMs: number;
  /** A queue that was idle for so long is asked whether it still works. */
  readonly canaryMs: number;
  /** A queue that has not answered by then is stuck: `/livez` says so, and a supervisor starts the worker anew. */
  readonly canaryLimitMs: number;
  /** After so many crashes in a row that a job was under way in, it is given up. */
  readonly maxCrashes: number;
}

export const defaultSettings: WorkerSettings = {
  prefix: '{millrace}',
  maxBodyBytes: 25 * 1024 * 1024,
  maxBodiesBytes: 200 * 1024 * 1024,
  acceptWithinMs: 2_200,
  concurrency: 50,
  // In the worst case both pass one after the other before a killed worker’s turn is taken up: ten seconds of the
  // eleven that are promised. Ten and five took 14.8 when measured.
  lockMs: 7_000,
  stalledMs: 3_000,
  reconcileMs: 15_000,
  artifactWaitMs: 1_800_000,
  pollScale: 1,
  missingMs: maxRefusalMs,
  orderMs: 5_000,
  rateLimitWindowMs: 60_000,
  reportForMs: 86_400_000,
  reportLeaseMs: 40_000,
  sweepMs: 300_000,
  sweepTickMs: 1_500,
  liveMs: 60_000,
  liveTickMs: 2_000,
  notifyTickMs: 1_000,
  githubLimits,
  stopWithinMs: 10_000,
  canaryMs: 15_000,
  canaryLimitMs: 60_000,
  maxCrashes: 5,
};
