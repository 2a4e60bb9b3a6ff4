import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Redis } from 'ioredis';
import { trace, type Tracer } from '@opentelemetry/api';
import type { Client, Middleware } from '../../client/index.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports/ports.ts';
import { version } from '../../lib/core/values/version.ts';
import { keysUnder } from '../store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from './lane-store.ts';
import { countRequests } from '../telemetry/count-requests.ts';
import { createJournals } from '../store/recovery/compare-journals.ts';
import type { StateDirectory } from '../store/journal/state-directory.ts';
import { isOnDisk } from '../store/recovery/on-disk.ts';
import { createOperatorWords, type WordCounts } from '../store/journal/operator-words.ts';
import { learnAddress } from '../store/live/platform-addresses.ts';
import { isReplicated } from '../store/recovery/replicas.ts';
import { createStateMemory } from '../store/recovery/state-memory.ts';
import { createLiveReads } from '../store/live/live-reads.ts';
import { createLiveStore } from '../store/live/live-store.ts';
import { createFailureLog, type FailureLog } from '../telemetry/failure-log.ts';
import { createMetrics } from '../telemetry/worker-metrics.ts';
import { createRateLimiter } from '../rate-limit/rate-limiter.ts';
import { createTokenBucket } from '../rate-limit/token-bucket.ts';
import { createDeadLetters } from '../store/jobs/dead-letters.ts';
import { openQueues } from '../store/jobs/work-queues.ts';
import { createDeliveryLog } from '../store/deliveries/delivery-log.ts';
import { type ConfigStatus, fixedStatus } from '../settings/current-config.ts';
import type { WorkerSettings } from '../settings/settings.ts';
import { createSpans } from '../telemetry/spans.ts';
import { createDurations } from '../store/advances/durations.ts';
import type {
  DeadLetterStore,
  Deliveries,
  ExecutionTimes,
  GitHubReads,
  LiveVersions,
  Platform,
  PlanSecrets,
  Platforms,
  Policy,
  Queues,
  Records,
  Replication,
  StateKnowledge,
  Telemetry,
  Timing,
  Words,
} from '../promotion/context/ports.ts';
import { createFormatWatch } from '../promotion/context/format-watch.ts';
import { createAddressCheck, createPlatforms } from '../promotion/context/platforms.ts';
import { defaultRequestsPerMinute } from '../rate-limit/default-requests.ts';
import { takeAhead } from '../rate-limit/take-ahead.ts';

/**
 * Creates a client of the platform for a credential, as worker.yaml defines it now. The middlewares wrap each
 * attempt of a request.
 */
export type CreateClientFor = (
  credential: string,
  middlewares: readonly Middleware[],
  config: WorkerConfig,
) => Client;

export interface PortsOptions {
  /** `worker.yaml` as it is now; may be a getter. */
  readonly config: WorkerConfig;
  /** Default: the file on disk is in use. */
  readonly configStatus?: () => ConfigStatus;
  /** A connection whose commands survive an outage. */
  readonly redis: Redis;
  readonly settings: WorkerSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Default: a new one. */
  readonly failures?: FailureLog;
  readonly createClientFor: CreateClientFor;
  /** Requests a minute of a credential; default 1,000 (unknowns §1). */
  readonly requestsPerMinute?: (credential: string) => number | undefined;
  readonly github: GitHubReads['github'];
  /** The secrets of the webhook of a repository that are valid now: values in plans are keyed with one. */
  readonly planSecrets: PlanSecrets['planSecrets'];
  /** Default: the one of the SDK that the process was started with, else none. */
  readonly tracer?: Tracer | undefined;
  readonly onError: (error: Error) => void;
  /** Where the worker keeps what operators say; default: nowhere. */
  readonly directory?: StateDirectory | undefined;
}

/** All ports of the worker. Only this folder uses the whole: a function names the ports that it needs. */
export interface WorkerPorts
  extends
    Records<LaneStore>,
    Policy,
    Timing,
    Telemetry,
    Queues,
    PlanSecrets,
    Platforms,
    GitHubReads,
    LiveVersions,
    ExecutionTimes,
    DeadLetterStore,
    Deliveries,
    Replication,
    StateKnowledge,
    Words {}

/** The ports of a worker, and how to close them. */
export interface OpenPorts extends WorkerPorts {
  /** Closes the clients of credentials that changed, once they are no longer used. */
  closeReplaced(): Promise<void>;
  /** Closes the clients and queues, not the connection. */
  close(): Promise<void>;
}

/** Opens the ports of a worker. */
export function openPorts(options: PortsOptions): OpenPorts {
  const { redis, settings, clock, random, logger, directory } = options;
  const keys = keysUnder(settings.prefix);
  const failures = options.failures ?? createFailureLog(logger, clock);
  const metrics = createMetrics();
  const spans = createSpans(options.tracer ?? trace.getTracer('millrace', version), clock);
  const queues = openQueues(redis, settings.prefix, options.onError);

  const memory = createStateMemory();
  const format = createFormatWatch(settings.recordFormat, logger, metrics);

  function onOlder(lanes: readonly string[]): void {
    metrics.stateOlder.inc(lanes.length);
    logger.error('Redis came back with an older state. The lanes whose records were lost are held.', {
      lanes,
    });
  }

  function onJournalFailure(error: unknown): void {
    failures.failed('journal', 'The journal in the state directory cannot be read or written.', {
      error: messageOf(error),
    });
  }

  function onMissing(missing: readonly string[]): void {
    logger.error(
      'Redis was restarted, and workers that ran before have not compared their journals of what operators said. All lanes are held.',
      { journals: missing },
    );
  }

  const words = createOperatorWords({
    redis,
    keys,
    clock,
    journal: directory?.journal,
    onFailure: onJournalFailure,
  });

  async function areWordsKept(since: WordCounts): Promise<boolean | null> {
    const kept = await isOnDisk(redis, keys, {
      call: memory.last(),
      replicas: options.config['redis-replicas'],
    });
    return kept === true || (words.hasJournal && words.counts.failed === since.failed) || (kept ?? null);
  }

  function openPlatform(credential: string, used: Middleware): Platform {
    const perMinute = options.requestsPerMinute?.(credential) ?? defaultRequestsPerMinute;
    const limit = { requests: perMinute, windowMs: settings.rateLimitWindowMs };
    const bucket = createTokenBucket(redis, settings.prefix, credential, limit);
    const key = `${settings.prefix}:rate-limit:${credential}`;
    const rateLimiter = createRateLimiter(takeAhead(bucket, { redis, key, limit, clock }), {
      clock,
      onThrottled: () => metrics.throttled.inc({ credential }),
    });
    metrics.throttled.inc({ credential }, 0);
    const toOurs: Middleware = async (request, next) => {
      await checkAddress();
      return next(request);
    };
    const middlewares = [used, toOurs, rateLimiter.middleware, spans.middleware, countRequests(metrics)];
    const client: Client = options.createClientFor(credential, middlewares, options.config);
    const checkAddress = createAddressCheck(credential, client.baseUrl, {
      learn: (name, address) => learnAddress(redis, keysUnder(settings.prefix), name, address),
      logger,
    });
    const acquire = async (): Promise<void> => {
      await checkAddress();
      await rateLimiter.acquire();
    };
    return { client, rateLimiter, acquire };
  }

  const platforms = createPlatforms({
    settingsOf: (credential) => options.config.credentials[credential],
    open: openPlatform,
    clock,
  });

  const deliveries = createDeliveryLog(redis, keys, clock);
  return {
    get config() {
      return options.config;
    },
    configStatus: options.configStatus ?? (() => fixedStatus),
    store: createLaneStore(
      redis,
      keys,
      clock,
      (outcome, count) => metrics.promotionsFinished.inc({ outcome }, count),
      { older: { memory, onOlder }, format, words },
    ),
    words,
    areWordsKept,
    journals: createJournals({
      redis,
      keys,
      clock,
      format: format.known,
      directory,
      onOlder,
      onMissing,
      onFailure: onJournalFailure,
    }),
    memory,
    format,
    isReplicated: () => isReplicated(redis, settings.prefix, options.config['redis-replicas']),
    live: createLiveStore(redis, keys, clock, settings.recordFormat),
    liveReads: createLiveReads(redis, keys, clock),
    queues,
    deadLetters: createDeadLetters(redis, settings.prefix, clock, words),
    deliveries,
    platformFor: platforms.platformFor,
    closeReplaced: platforms.closeReplaced,
    github: options.github,
    planSecrets: options.planSecrets,
    durations: createDurations(redis, settings.prefix),
    metrics,
    failures,
    spans,
    clock,
    random,
    logger,
    settings,
    async close() {
      await Promise.all([queues.close(), platforms.close(), deliveries.close()]);
    },
  };
}
