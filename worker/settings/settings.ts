import { maxRefusalMs } from '../../flows/run/poll-errors.ts';
import { recordFormat } from '../records/record-format.ts';
import { githubLimits, type WriteLimits } from '../rate-limit/write-budget.ts';

/** The settings of a worker; times in milliseconds. Tests make some times shorter. */
export interface WorkerSettings {
  /** Prefix of all keys in Redis; braces keep them in one slot of a cluster. */
  readonly prefix: string;
  /** Newest format of the records that the worker knows; another one than its own is for tests. */
  readonly recordFormat: number;
  readonly maxBodyBytes: number;
  /** Bytes of all bodies being read at once. */
  readonly maxBodiesBytes: number;
  /** A delivery that Redis has not stored by then is answered 503. */
  readonly acceptWithinMs: number;
  /** A page of the dashboard that cannot be rendered by then is answered 503. */
  readonly pageWithinMs: number;
  /** The same for an action, which may wait up to twenty seconds for the platform and must show its result. */
  readonly actionWithinMs: number;
  /** A request that has not come whole by then is answered 408. */
  readonly requestWithinMs: number;
  /** Longest wait for each answer of GitHub when a person signs in with it; shorter than `pageWithinMs`. */
  readonly githubWithinMs: number;
  /** How long GitHub's answer about a member of a team counts for their session. */
  readonly teamMs: number;
  /** Promotions that one process advances at once. */
  readonly concurrency: number;
  /** A worker that does not renew its locks for this long has lost its jobs. */
  readonly lockMs: number;
  readonly stalledMs: number;
  readonly reconcileMs: number;
  /** Interval between checks of a gate or a hold; what opens it advances the promotion at once. */
  readonly gateMs: number;
  /** Interval between two reads of the platform for the plan of a promotion that waits for approval. */
  readonly planMs: number;
  /** Interval between two requests to GitHub about the authors of a promotion that waits for approval. */
  readonly authorsMs: number;
  /** Delay until a promotion advances again whose platform or GitHub did not answer. */
  readonly unansweredMs: number;
  /** How long a promotion waits for its artifact to be published. */
  readonly artifactWaitMs: number;
  /** Scales the delays between two polls of an execution or a list. */
  readonly pollScale: number;
  /**
   * Time after which an execution that the platform does not find counts as unknown to it; a shorter gap may
   * pass.
   */
  readonly missingMs: number;
  /** How long a push is read again until GitHub shows it. */
  readonly headWaitMs: number;
  /** How long a push is matched with the lanes again whose commit GitHub shows on no allowed branch, or without settings. */
  readonly matchWaitMs: number;
  /**
   * Longest wait of a push for earlier pushes of its repository, in a lane that promotes every one; longer than
   * `headWaitMs`.
   */
  readonly orderMs: number;
  /** Window for `requests-per-minute`; anything but a minute is for tests. */
  readonly rateLimitWindowMs: number;
  /** How long a status update to GitHub is retried. */
  readonly reportForMs: number;
  /** Shortest delay until a status update that failed is tried again; at random up to three times as long. */
  readonly reportRetryMs: number;
  /** Shortest delay until something that GitHub refuses for a while is tried again. */
  readonly refusedMs: number;
  /** Lease of a report for one sender; longer than GitHub may take to answer. */
  readonly reportLeaseMs: number;
  /** Interval between sweeps for missed pushes. */
  readonly sweepMs: number;
  /** Interval between checks for a requested sweep. */
  readonly sweepTickMs: number;
  /** Interval between two polls of what is live in an environment. */
  readonly liveMs: number;
  /** Interval between checks for environments that are due to be polled. */
  readonly liveTickMs: number;
  /** Interval between checks whether worker.yaml changed. */
  readonly configTickMs: number;
  /** Interval between checks for notifications and answers to comments that are due. */
  readonly notifyTickMs: number;
  /** Write limits of GitHub, for all workers together. */
  readonly githubLimits: WriteLimits;
  /** Time after which a stop no longer waits for running jobs. */
  readonly stopWithinMs: number;
  /** After that time, a Redis that does not answer for this long ends the stop. */
  readonly redisWithinMs: number;
  /** Idle time after which a queue is sent a canary. */
  readonly canaryMs: number;
  /**
   * A queue that has not answered by then is stuck: `/livez` reports it, and a supervisor restarts the worker.
   */
  readonly canaryLimitMs: number;
  /** Crashes in a row with the same running job after which the job is given up. */
  readonly maxCrashes: number;
  /** In the demo: the command that sends the worker a push. An empty board shows it. */
  readonly demoPush?: string;
}

export const defaultSettings: WorkerSettings = {
  prefix: '{millrace}',
  recordFormat,
  maxBodyBytes: 25 * 1024 * 1024,
  maxBodiesBytes: 200 * 1024 * 1024,
  acceptWithinMs: 2_200,
  pageWithinMs: 8_000,
  actionWithinMs: 25_000,
  requestWithinMs: 10_000,
  githubWithinMs: 6_000,
  teamMs: 300_000,
  concurrency: 50,
  // In the worst case, a killed worker’s promotion is taken over after the life of its lock and two intervals, because all
  // workers share the checks: four of the promised five seconds.
  lockMs: 3_000,
  stalledMs: 500,
  reconcileMs: 15_000,
  gateMs: 15_000,
  planMs: 300_000,
  authorsMs: 300_000,
  unansweredMs: 10_000,
  artifactWaitMs: 1_800_000,
  pollScale: 1,
  missingMs: maxRefusalMs,
  headWaitMs: 300_000,
  // Short, because it delays every refusal of such a tag.
  matchWaitMs: 15_000,
  orderMs: 600_000,
  rateLimitWindowMs: 60_000,
  reportForMs: 86_400_000,
  reportRetryMs: 5_000,
  refusedMs: 60_000,
  reportLeaseMs: 40_000,
  sweepMs: 300_000,
  sweepTickMs: 1_500,
  liveMs: 60_000,
  liveTickMs: 2_000,
  configTickMs: 2_000,
  notifyTickMs: 1_000,
  githubLimits,
  stopWithinMs: 10_000,
  redisWithinMs: 5_000,
  canaryMs: 15_000,
  canaryLimitMs: 60_000,
  maxCrashes: 5,
};
