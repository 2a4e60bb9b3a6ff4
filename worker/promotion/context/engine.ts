import type { Client, Middleware } from '../../../client/index.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { Clock, Logger, Random } from '../../../lib/core/ports/ports.ts';
import type { LaneStore } from '../../store/lane-store.ts';
import type { FormatWatch } from './format-watch.ts';
import type { Journals } from '../../store/recovery/compare-journals.ts';
import type { OperatorWords, WordCounts } from '../../store/journal/operator-words.ts';
import type { StateMemory } from '../../store/recovery/state-memory.ts';
import type { LiveReads } from '../../store/live/live-reads.ts';
import type { LiveStore } from '../../store/live/live-store.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import type { WorkerMetrics } from '../../telemetry/worker-metrics.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { DeadLetters } from '../../store/queue/dead-letters.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';
import type { WorkQueues } from '../../store/queue/work-queues.ts';
import type { ConfigStatus } from '../../settings/current-config.ts';
import type { WorkerSettings } from '../../settings/settings.ts';
import type { Spans } from '../../telemetry/spans.ts';
import type { Durations } from '../../store/advances/durations.ts';

/** Creates the client of a credential of worker.yaml as it is now; the middlewares wrap each attempt. */
export type CreateClientFor = (
  credential: string,
  middlewares: readonly Middleware[],
  config: WorkerConfig,
) => Client;

/** The platform with one credential. */
export interface Platform {
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  /**
   * Prepares a call that an intent is recorded for. Throws RateLimited, and OtherPlatform if the records are about a platform with
   * another address: no request is sent to this one then.
   */
  readonly acquire: () => Promise<void>;
}

/** The dependencies of all parts of the worker; `openEngine` creates it. */
export interface Engine {
  /**
   * `worker.yaml` as it is now. Read it where it is used: it changes while the worker runs. A promotion's plan may be
   * older; the stricter rule counts.
   */
  readonly config: WorkerConfig;
  /** Whether the `worker.yaml` on disk is in use. */
  readonly configStatus: () => ConfigStatus;
  readonly store: LaneStore;
  /** Whether as many replicas of Redis as worker.yaml asks for have everything that this process recorded. */
  readonly isReplicated: () => Promise<boolean>;
  /** Whether this worker knows the format of the records. */
  readonly format: FormatWatch;
  /** What operators say to this worker. */
  readonly words: OperatorWords;
  /**
   * Waits until the words since these counts are on the disk of Redis, or in the journal of this worker. False if neither
   * confirms it, null if Redis does not say what it keeps. Never throws.
   */
  readonly areWordsKept: (since: WordCounts) => Promise<boolean | null>;
  /** The journals of all workers. */
  readonly journals: Journals;
  /** What Redis has acknowledged to this process. */
  readonly memory: StateMemory;
  /** The live versions, as the platform last answered. */
  readonly live: LiveStore;
  readonly liveReads: LiveReads;
  readonly queues: WorkQueues;
  readonly deadLetters: DeadLetters;
  /** Recent deliveries, for people. */
  readonly deliveries: DeliveryLog;
  /** The platform with a credential of worker.yaml. Throws CredentialMissing. */
  readonly platformFor: (credential: string) => Platform;
  /** GitHub, to look where a commit is and who wrote it. */
  readonly github: Pick<
    GitHubPort,
    'webUrl' | 'repository' | 'branches' | 'relation' | 'committedAt' | 'authorsBetween' | 'allowances'
  > & {
    readonly checks: Pick<GitHubPort['checks'], 'conclusionsOf'>;
    readonly people: Pick<GitHubPort['people'], 'isInTeam'>;
  };
  /** How long executions took, to poll at the right time. */
  readonly durations: Durations;
  readonly metrics: WorkerMetrics;
  /** Logs what fails again and again. */
  readonly failures: FailureLog;
  readonly spans: Spans;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly settings: WorkerSettings;
}
