import type { Client } from '../../../client/index.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { Clock, Logger, Random } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { ConfigStatus } from '../../settings/current-config.ts';
import type { WorkerSettings } from '../../settings/settings.ts';
import type { Durations } from '../../store/advances/durations.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';
import type { OperatorWords, WordCounts } from '../../store/journal/operator-words.ts';
import type { LiveReads } from '../../store/live/live-reads.ts';
import type { LiveStore } from '../../store/live/live-store.ts';
import type { DeadLetters } from '../../store/jobs/dead-letters.ts';
import type { WorkQueues } from '../../store/jobs/work-queues.ts';
import type { Journals } from '../../store/recovery/compare-journals.ts';
import type { StateMemory } from '../../store/recovery/state-memory.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import type { Spans } from '../../telemetry/spans.ts';
import type { WorkerMetrics } from '../../telemetry/worker-metrics.ts';
import type { FormatWatch } from './format-watch.ts';

// What parts of the worker depend on. A function names the ports that it uses, or a `Pick` of them; only `worker/app/`
// has them all.

/** The records of lanes and promotions, limited to the groups that the caller names: `Records<LaneReads & Pauses>`. */
export interface Records<Groups> {
  readonly store: Groups;
}

/** What worker.yaml allows now. */
export interface Policy {
  /**
   * `worker.yaml` as it is now. Read it each time it is used, because it changes while the worker runs. A promotion's
   * task may be older; the stricter rule counts.
   */
  readonly config: WorkerConfig;
  /** Whether the `worker.yaml` on disk is in use. */
  readonly configStatus: () => ConfigStatus;
  readonly settings: WorkerSettings;
}

export interface Timing {
  readonly clock: Clock;
  readonly random: Random;
}

export interface Telemetry {
  readonly metrics: WorkerMetrics;
  /** Logs what fails again and again. */
  readonly failures: FailureLog;
  readonly spans: Spans;
  readonly logger: Logger;
}

export interface Queues {
  readonly queues: WorkQueues;
}

/** The client of the platform for one credential. */
export interface Platform {
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  /**
   * Prepares a call that an intent is recorded for. Throws RateLimited, and OtherPlatform if the records are about a platform with
   * another address: no request is sent to this one then.
   */
  readonly acquire: () => Promise<void>;
}

export interface Platforms {
  /** The platform with a credential of worker.yaml. Throws CredentialMissing. */
  readonly platformFor: (credential: string) => Platform;
}

/** The options of a call to the platform. */
export interface PlatformCalls extends Platforms, Timing, Pick<Telemetry, 'logger'> {}

/** The secrets from which the key for the values of variables in plans is made. */
export interface PlanSecrets {
  /** The secrets of a repository's webhook that are valid now. */
  readonly planSecrets: (repositoryId: number) => readonly string[];
}

/** GitHub, to read signed statements and the files of a commit. */
export type EvidenceReads = Pick<GitHubPort, 'treeOf' | 'filesIn' | 'trees'>;

/** GitHub, to find out on which branch a commit is and who wrote it. */
export interface GitHubReads {
  readonly github: Pick<
    GitHubPort,
    | 'webUrl'
    | 'repository'
    | 'branches'
    | 'relation'
    | 'committedAt'
    | 'authorsBetween'
    | 'commitsBetween'
    | 'allowances'
  > &
    EvidenceReads & {
      readonly checks: Pick<GitHubPort['checks'], 'conclusionsOf'>;
      readonly people: Pick<GitHubPort['people'], 'isInTeam'>;
      readonly pulls: Pick<GitHubPort['pulls'], 'mergedAs' | 'reviews'>;
    };
}

/** The live version of each environment, as the platform answered last. */
export interface LiveVersions {
  readonly live: LiveStore;
  readonly liveReads: LiveReads;
}

/** How long executions took, to choose the times of polls. */
export interface ExecutionTimes {
  readonly durations: Durations;
}

export interface DeadLetterStore {
  readonly deadLetters: DeadLetters;
}

/** Recent deliveries of GitHub, which operators can look at. */
export interface Deliveries {
  readonly deliveries: DeliveryLog;
}

export interface Replication {
  /** Whether as many replicas of Redis as worker.yaml asks for have everything that this process recorded. */
  readonly isReplicated: () => Promise<boolean>;
}

/** What this process knows about the state of the records in Redis. */
export interface StateKnowledge {
  /** Whether this worker knows the format of the records. */
  readonly format: FormatWatch;
  /** The journals of all workers. */
  readonly journals: Journals;
  /** What Redis has acknowledged to this process. */
  readonly memory: StateMemory;
}

/** The actions of operators that this worker has confirmed. */
export interface Words {
  readonly words: OperatorWords;
  /**
   * Waits until the words since these counts are on the disk of Redis, or in the journal of this worker. False if neither
   * confirms it, null if Redis does not say what it keeps. Never throws.
   */
  readonly areWordsKept: (since: WordCounts) => Promise<boolean | null>;
}
