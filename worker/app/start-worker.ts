import { messageOf } from '../../lib/core/errors/message-of.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { listenFailure } from '../../lib/core/errors/listen-failure.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../lib/github/github-port.ts';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import type { OAuthApp } from '../../lib/github/access/user-authorization.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { createInbox } from '../intake/receiver/inbox.ts';
import { createReceiver } from '../intake/receiver/receive-webhook.ts';
import { type CreateClientFor, openPorts, type WorkerPorts } from './open-ports.ts';
import { defaultSettings, type WorkerSettings } from '../settings/settings.ts';
import { type Canaries, createCanaries } from '../store/jobs/canaries.ts';
import { openStateDirectory, type StateDirectory } from '../store/journal/state-directory.ts';
import { keysUnder } from '../store/scripts/keys.ts';
import { openQueues, type WorkQueues } from '../store/jobs/work-queues.ts';
import type { StateGuard } from '../promotion/state-guard.ts';
import { createFailureLog, type FailureLog } from '../telemetry/failure-log.ts';
import { runBackgroundTasks } from './background-tasks.ts';
import { type ConfigFile, createConfigWatcher, type WorkerSetup } from './config-watcher.ts';
import { type Connections, openConnections } from './connections.ts';
import { consumeQueues } from './consume-queues.ts';
import { createHttpServer } from './http-server.ts';
import { openAccess } from './open-access.ts';
import { openIntake } from './open-intake.ts';
import { refuseNewer, refuseTooOld } from './refuse-other-formats.ts';
import { openReporting } from './open-reporting.ts';

export interface WorkerOptions extends WorkerSetup {
  /** Where `config` was read. Default: it never changes. */
  readonly configFile?: ConfigFile | undefined;
  readonly settings?: Partial<WorkerSettings>;
  readonly redis: RedisAddress;
  /** Folder in which the worker keeps what operators say; default: none. */
  readonly stateDirectory?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Creates the client for a credential of worker.yaml, with the middlewares that limit and count its calls.
   * Called once for each credential, and again after a change of its settings. The worker closes the client.
   */
  readonly createClientFor: CreateClientFor;
  /** Default: the tracer of the OpenTelemetry SDK that the process was started with. */
  readonly tracer?: Tracer | undefined;
  readonly github: GitHubPort;
  /** Masks the secrets that the worker knows, in what it writes into comments. Default: the text as it is. */
  readonly redact?: ((text: string) => string) | undefined;
  /** The proxy on the way to the targets of notifications, and to GitHub for a sign-in. Default: none. */
  readonly proxy?: ProxySettings | undefined;
  /** The webhook's secrets that are valid now; read for each delivery. */
  readonly webhookSecrets: (config: WorkerConfig) => readonly string[];
  /** Secrets of single repositories by their ids, instead of the others; none by default. */
  readonly repositorySecrets?: (config: WorkerConfig) => ReadonlyMap<number, readonly string[]>;
  /** The app with which operators sign in, as it is configured now; none by default. Read for each request. */
  readonly signIn?: (config: WorkerConfig) => OAuthApp | undefined;
  /** `MILLRACE_WORKER_TOKEN` as it is now: an admin's token; other operators have their own (`operators`). */
  readonly token?: (() => string | undefined) | undefined;
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
   * promotions. `drain`: answers 503 for the time that worker.yaml gives before it closes the port, so that a load balancer
   * notices; by default the port closes at once.
   */
  close(options?: { readonly drain?: boolean }): Promise<void>;
}

/**
 * Starts a worker and waits until Redis accepts commands. Any number of workers may share a Redis; each
 * continues what another left when it was closed or killed. Throws Failure 'usage' if the port is taken, 'records-newer' if a
 * newer version has raised the format of the records, 'records-too-old' if they are from before the formats, and
 * 'state-directory' if the folder cannot be used.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { clock, logger, github, configFile } = options;
  const settings: WorkerSettings = { ...defaultSettings, ...options.settings };
  const failures = createFailureLog(logger, clock);
  const connections = await openConnections(options.redis, failures);
  const { producer, records, jobs, onError } = connections;
  let directory: StateDirectory | undefined;
  try {
    const keys = keysUnder(settings.prefix);
    await refuseNewer(records, keys, settings.recordFormat);
    await refuseTooOld(records, keys);
    if (options.stateDirectory !== undefined) directory = await openStateDirectory(options.stateDirectory);
  } catch (error) {
    connections.disconnect();
    throw error;
  }
  const incoming = openQueues(producer, settings.prefix, onError);
  const watcher = createConfigWatcher({ start: options, file: configFile, clock, logger });
  const ports = openPorts({
    ...options,
    get config() {
      return watcher.config;
    },
    configStatus: () => watcher.status,
    redis: records,
    settings,
    failures,
    directory,
    planSecrets: (repositoryId) =>
      options.repositorySecrets?.(watcher.config).get(repositoryId) ?? options.webhookSecrets(watcher.config),
    requestsPerMinute: (credential) => watcher.config.credentials[credential]?.requestsPerMinute,
    onError,
  });
  const canaries = createCanaries({
    worker: randomUUID(),
    clock,
    everyMs: settings.canaryMs,
    limitMs: settings.canaryLimitMs,
    send: (queue, worker) => incoming.addCanary(queue, worker),
  });

  // Serve: events are stored from here on, although no consumer runs yet.
  const stopping = new AbortController();
  const server = serve(options, { settings, connections, incoming, ports, canaries }, stopping.signal);
  try {
    await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  } catch (error) {
    connections.disconnect();
    await directory?.close();
    throw error;
  }

  // Work.
  const reporting = openReporting(
    { github, proxy: options.proxy, notify: () => watcher.notify, redact: options.redact ?? String },
    ports,
    records,
  );
  const intake = openIntake({ github, ...reporting }, ports, records);
  await beginGuard(intake.guard, failures);
  const consumers = consumeQueues(jobs, intake.context, { report: reporting.report, canaries, records });
  configFile?.onRequest?.(() => void watcher.check('at-once'));
  const { guard, sweep } = intake;
  const { checkStalled } = consumers;
  const { sendNotifications, sendAnswers } = reporting;
  const checkConfig = async (): Promise<void> => {
    await watcher.check();
    await ports.closeReplaced();
  };
  const background = runBackgroundTasks(
    { guard, records, canaries, checkStalled, sweep, sendNotifications, sendAnswers, checkConfig },
    ports,
    stopping.signal,
  );

  async function closePort(drain: boolean): Promise<{ readonly closed: Promise<void> }> {
    if (drain) await clock.sleep(watcher.config.drain);
    return { closed: server.close() };
  }

  async function shutDown(drain: boolean): Promise<void> {
    stopping.abort();
    // A receiver that hangs must not delay the stop: another worker continues the work later.
    const late = AbortSignal.timeout(settings.stopWithinMs);
    const [{ closed }] = await Promise.all([
      closePort(drain),
      consumers.close(),
      Promise.race([background, once(late, 'abort')]),
    ]);
    server.server.closeAllConnections();
    await closed;
    await Promise.all([incoming.close(), reporting.close(), ports.close(), directory?.close()]);
    connections.disconnect();
  }

  let closing: Promise<void> | undefined;
  const close: RunningWorker['close'] = ({ drain = false } = {}) => (closing ??= shutDown(drain));
  return { url: urlOf(server.server.address()), close, [Symbol.asyncDispose]: () => close() };
}

/** If Redis refuses writes, the worker keeps running: it can send no effect, and the StateGuard tries again. */
async function beginGuard(guard: StateGuard, failures: FailureLog): Promise<void> {
  const what = 'Checking the records in Redis failed.';
  await guard.begin().catch((error: unknown) => failures.failed(what, what, { error: messageOf(error) }));
}

/** Creates the HTTP server: webhooks, the operators’ API, the dashboard, health and metrics. */
function serve(
  { clock, logger, github, proxy, webhookSecrets, repositorySecrets, signIn, token }: WorkerOptions,
  { settings, connections, incoming, ports, canaries }: ServedParts,
  stopping: AbortSignal,
): FastifyInstance {
  const { producer, records } = connections;
  const keys = keysUnder(settings.prefix);
  const app = (): OAuthApp | undefined => signIn?.(ports.config);
  return createHttpServer({
    receive: createReceiver({
      secrets: () => ({
        common: webhookSecrets(ports.config),
        byRepository: repositorySecrets?.(ports.config) ?? new Map(),
      }),
      isServed: (repositoryId) => ports.config.repositories.some(({ id }) => id === repositoryId),
      inbox: createInbox(producer, keys, incoming, () => ports.config['redis-replicas']),
      clock,
      logger,
      failures: ports.failures,
      ...settings,
    }),
    ports,
    redis: producer,
    requestWithinMs: settings.requestWithinMs,
    canaries,
    access: openAccess({ github, proxy, token, app }, ports, records),
    logger,
    isStopping: () => stopping.aborted,
    accessStates: () => ports.config.repositories.map(({ id }) => github.accessState(id) ?? 'unknown'),
  });
}

interface ServedParts {
  readonly settings: WorkerSettings;
  readonly connections: Connections;
  readonly incoming: WorkQueues;
  readonly ports: WorkerPorts;
  readonly canaries: Canaries;
}

async function listen(server: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    await server.listen({ port, host });
  } catch (error) {
    throw listenFailure(error, { name: 'The worker', others: 'a worker or a demo', host, port });
  }
}

function urlOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
