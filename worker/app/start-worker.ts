import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import type { WorkerConfig } from '../../lib/config/read-worker-config.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports.ts';
import { createHttpServer } from './http-server.ts';
import type { GitHubPort } from '../../lib/github/github-port.ts';
import { type Canaries, createCanaries } from '../store/canaries.ts';
import { keysUnder } from '../store/keys.ts';
import { startWorkers } from './start-workers.ts';
import { openQueues } from '../store/work-queues.ts';
import { createInbox } from '../intake/receiver/inbox.ts';
import { createAccess } from '../web/access.ts';
import { createDirectory } from '../operators/directory.ts';
import { createSessions } from '../web/sessions.ts';
import { createReceiver } from '../intake/receiver/receive-webhook.ts';
import { blockingGate } from '../promotion/gates/blocking-gate.ts';
import { keepDoing } from './repeat.ts';
import { createLivePoller } from '../promotion/live/live-poller.ts';
import { createNotifier, type NotifyTarget } from '../reporting/webhook/create-notifier.ts';
import { createOutbox } from '../reporting/webhook/outbox.ts';
import { openPoster } from '../reporting/webhook/post-notification.ts';
import { environmentFacts } from '../reporting/github/environment-facts.ts';
import { createReporter } from '../reporting/github/create-reporter.ts';
import { createIngestOrder } from '../intake/ingest/ingest-order.ts';
import { createRefChain } from '../intake/ingest/ref-chain.ts';
import { createSweeper } from '../intake/sweep/create-sweeper.ts';
import { createDeletedRefs } from '../intake/sweep/deleted-refs.ts';
import { createSweepState } from '../intake/sweep/sweep-state.ts';
import { createRefusalReporter } from '../reporting/github/report-refusal.ts';
import { createReportStores } from '../reporting/github/report-stores.ts';
import { createWriteBudget } from '../rate-limit/write-budget.ts';
import type { RedisAddress } from '../../lib/redis/redis-address.ts';
import { connectRedis, untilReady } from '../../lib/redis/redis-connection.ts';
import type { CreateClientFor, Engine } from '../promotion/engine.ts';
import { openEngine } from '../promotion/open-engine.ts';
import { reconcile } from '../promotion/reconcile.ts';
import { messageOf } from '../promotion/advance.ts';
import { rebuildLanes } from '../intake/state/rebuild-lanes.ts';
import { createStateGuard, type StateGuard } from '../promotion/state-guard.ts';
import { defaultSettings, type WorkerSettings } from '../settings/settings.ts';

export interface WorkerOptions {
  /** `worker.yaml` as read. */
  readonly config: WorkerConfig;
  readonly settings?: Partial<WorkerSettings>;
  readonly redis: RedisAddress;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Creates the client for a credential of worker.yaml, with the middlewares that limit and count its calls.
   * Called once for each credential; the client is closed with the worker.
   */
  readonly createClientFor: CreateClientFor;
  /** Default: the tracer of the OpenTelemetry SDK that the process was started with. */
  readonly tracer?: Tracer | undefined;
  readonly github: GitHubPort;
  /** Targets of notifications about promotions that need attention; none by default. */
  readonly notify?: readonly NotifyTarget[];
  /** The webhook's secrets that are valid now; read for each delivery. */
  readonly webhookSecrets: () => readonly string[];
  /** `MILLRACE_WORKER_TOKEN`: an admin's token; other operators have their own (`operators`). */
  readonly token?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default: the loopback interface only. */
  readonly host?: string | undefined;
}

export interface RunningWorker extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4100`; webhooks go to `/webhooks/github`. */
  readonly url: string;
  /**
   * Accepts nothing new, lets running jobs end (at most `stopWithinMs`) and closes everything. Keeps
   * promotions.
   */
  close(): Promise<void>;
}

/**
 * Starts a worker and waits until Redis accepts commands. Any number of workers may share a Redis; each
 * continues what another left when it was closed or killed. Throws Failure 'usage' if the port is taken.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, redis: address, clock, random, logger, github } = options;
  const settings: WorkerSettings = { ...defaultSettings, ...options.settings };
  const onError = (error: Error): void =>
    logger.warn('A Redis connection failed.', { error: messageOf(error) });
  const producer = connectRedis({ address, role: 'producer', name: 'millrace-receiver', onError });
  const records = connectRedis({ address, role: 'worker', name: 'millrace-records', onError });
  const jobs = connectRedis({ address, role: 'worker', name: 'millrace-jobs', onError });
  try {
    await Promise.all([untilReady(producer), untilReady(records), untilReady(jobs)]);
  } catch (error) {
    // A connection that keeps retrying would keep the process alive.
    for (const connection of [producer, records, jobs]) connection.disconnect();
    throw error;
  }

  const keys = keysUnder(settings.prefix);
  const incoming = openQueues(producer, settings.prefix, onError);
  const engine = openEngine({
    ...options,
    redis: records,
    settings,
    requestsPerMinute: (credential) => config.credentials[credential]?.requestsPerMinute,
    onError,
  });

  const canaries = createCanaries({
    worker: randomUUID(),
    clock,
    everyMs: settings.canaryMs,
    limitMs: settings.canaryLimitMs,
    send: (queue, worker) => incoming.addCanary(queue, worker),
  });
  let stopping = false;
  const receive = createReceiver({
    secrets: options.webhookSecrets,
    isServed: (repositoryId) => config.repositories.some(({ id }) => id === repositoryId),
    inbox: createInbox(producer, keys, incoming),
    clock,
    logger,
    ...settings,
  });
  const directory = createDirectory(config.operators, options.token);
  const access = createAccess(directory, createSessions(records, keys, directory));
  const server = createHttpServer({
    receive,
    engine,
    redis: producer,
    canaries,
    access,
    logger,
    isStopping: () => stopping,
    accessStates: () => config.repositories.map(({ id }) => github.accessState(id) ?? 'unknown'),
  });
  try {
    await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  } catch (error) {
    for (const connection of [producer, records, jobs]) connection.disconnect();
    throw error;
  }

  const budget = createWriteBudget(records, {
    prefix: settings.prefix,
    clock,
    limits: settings.githubLimits,
    onLeft: (account, writes) => engine.metrics.githubBudget.set({ account }, writes),
  });
  const poster = openPoster();
  const notifier = createNotifier({
    targets: options.notify ?? [],
    outbox: createOutbox(records, settings.prefix, clock),
    store: engine.store,
    post: poster.post,
    needsApproval: (promotion) => blockingGate(promotion, config, clock.now())?.gate === 'approval',
    url: config.url,
    clock,
    random,
    logger,
  });
  const report = createReporter({
    github,
    store: engine.store,
    ...createReportStores(records, keys, clock),
    budget,
    clock,
    random,
    logger,
    url: config.url,
    onStatusUpdate: (promotion) => notifier.offer(promotion),
    waitsAtGate: (promotion) => blockingGate(promotion, config, clock.now()) !== undefined,
    reportForMs: settings.reportForMs,
    leaseMs: settings.reportLeaseMs,
    environmentOf: (id, environment) => environmentFacts(config, id, environment),
  });
  const chain = createRefChain(records, keys, clock);
  const sweeper = createSweeper({
    config,
    github,
    chain,
    state: createSweepState(records, keys, clock),
    deletedRefs: createDeletedRefs(records, keys),
    clock,
    logger,
    settings,
    accept: (push) => engine.queues.addIncoming(push),
    onRecovered: (what, count) => engine.metrics.recovered.inc({ what }, count),
  });
  const reportRefusal = createRefusalReporter({ github, budget, logger });
  const guard = createStateGuard({
    redis: records,
    engine,
    emptyMeans: config['empty-redis'],
    repositories: config.repositories.map(({ id }) => id),
    rebuild: (repositoryId) => rebuildLanes(repositoryId, { config, github, engine }),
  });
  const order = createIngestOrder(records, keys, engine.queues);
  const ingesting = { config, github, engine, reportRefusal, guard, chain, order };
  const workers = startWorkers(jobs, ingesting, { report, canaries, records });
  const ending = new AbortController();
  const reconciling = Promise.all([
    keepReconciling(engine, guard, ending.signal),
    sendCanaries(canaries, engine, ending.signal),
    keepDoing(
      { what: 'A sweep for missed pushes failed.', everyMs: settings.sweepTickMs, work: sweeper.tick },
      engine,
      ending.signal,
    ),
    keepDoing(
      { what: 'Sending notifications failed.', everyMs: settings.notifyTickMs, work: notifier.sendDue },
      engine,
      ending.signal,
    ),
    keepDoing(
      {
        what: 'Polling the live versions failed.',
        everyMs: settings.liveTickMs,
        work: createLivePoller(engine, ending.signal),
      },
      engine,
      ending.signal,
    ),
  ]);

  async function shutDown(): Promise<void> {
    stopping = true;
    ending.abort();
    const closed = server.close();
    // A receiver that hangs must not delay the stop: another worker continues the work later.
    const late = AbortSignal.timeout(settings.stopWithinMs);
    await Promise.all([workers.close(), Promise.race([reconciling, once(late, 'abort')])]);
    server.server.closeAllConnections();
    await closed;
    await Promise.all([incoming.close(), poster.close(), engine.close()]);
    for (const connection of [producer, records, jobs]) connection.disconnect();
  }

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shutDown());
  return { url: urlOf(server.server.address()), close, [Symbol.asyncDispose]: close };
}

/** Rounds between two trims of the histories: trimming is not urgent. */
const trimEvery = 20;

/** Reconciles at the start and every few seconds, so that lost jobs are found without a request. */
async function keepReconciling(engine: Engine, guard: StateGuard, signal: AbortSignal): Promise<void> {
  const { clock, logger, settings } = engine;
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      await guard.check();
      await reconcile(engine, { trims: round % trimEvery === 0 });
    } catch (error) {
      logger.warn('Reconciling lost jobs failed.', { error: messageOf(error) });
    }
    await clock.sleep(settings.reconcileMs, signal).catch(() => undefined);
  }
}

async function sendCanaries(canaries: Canaries, { clock, settings }: Engine, signal: AbortSignal) {
  while (!signal.aborted) {
    await canaries.ask();
    await clock.sleep(settings.canaryMs / 3, signal).catch(() => undefined);
  }
}

async function listen(server: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    await server.listen({ port, host });
  } catch (error) {
    throw new Failure('usage', {
      message: `The worker cannot listen on ${host}:${port}: ${messageOf(error)}.`,
      where: { input: '--port' },
      hint: 'Choose another port, or 0 for any free one.',
      cause: error,
    });
  }
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
