import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { proxyOf } from '../../lib/http/proxy-settings.ts';
import type { WorkerOptions } from '../../worker/app/start-worker.ts';
import { readGitHubAccess } from './github-access.ts';
import { readSignIn } from './github-sign-in.ts';
import { followEach, followSecrets } from './follow-secrets.ts';
import type { OpenedRedis } from './open-redis.ts';
import type { Session } from '../kit/session.ts';
import { untilAborted } from '../kit/servers/until-aborted.ts';
import { ownToken, platformAccess, repositorySecretReaders, webhookSecrets } from './worker-access.ts';
import { programName } from '../terminal/program-name.ts';
import { secretReader } from './worker-file.ts';
import { openWorkerSetup } from './worker-setup.ts';
import { workerLines } from './worker-lines.ts';

/** What `runWorker` needs: where it listens, its configuration, and its output. */
export interface WorkerRun {
  /** The path of worker.yaml. */
  readonly config: string;
  readonly port: number;
  readonly host: string;
  readonly verbose: boolean;
  /** Default: the Redis of MILLRACE_REDIS_URL, or an embedded one under `.millrace/` in the current folder. */
  readonly openRedis?: (session: Session, logger: Logger) => Promise<OpenedRedis>;
  readonly settings?: WorkerOptions['settings'];
  /** Called when the worker listens. Default: prints its addresses. */
  readonly onStart?: (url: string) => Promise<void>;
}

/** Runs a worker until a signal stops it. Throws a Failure if it cannot start. */
export async function runWorker(session: Session, run: WorkerRun): Promise<'passed'> {
  const { io, settings } = session;
  const { setup, configFile } = await openWorkerSetup(session, run.config);
  const { config } = setup;
  const proxy = proxyOf(io.env);
  const access = await readGitHubAccess(config.github, settings.github, secretReader(session), proxy);
  const logger = await openLogger(session, run.verbose);
  const { validateApp } = await import('./check-github-app.ts');
  await validateApp(access, logger);
  const { createGitHubPort } = await import('../../lib/github/create-github-port.ts');
  const { startWorker } = await import('../../worker/app/start-worker.ts');
  const secrets = followWorkerSecrets(session, logger);
  secrets.remember(config);
  const followed: typeof configFile = {
    ...configFile,
    async load(text) {
      const loaded = await configFile.load(text);
      secrets.remember(loaded.config);
      return loaded;
    },
  };
  const { clock, random } = io;
  const createClientFor = await platformClients(session, logger);
  const redis = await (run.openRedis ?? openUsualRedis)(session, logger);
  try {
    await using worker = await startWorker({
      ...setup,
      ...secrets,
      // On a terminal, SIGHUP ends the worker, because the terminal was closed. Elsewhere, it reads the file again.
      configFile: io.interactive ? { ...followed, onRequest: undefined } : followed,
      ...(run.settings === undefined ? {} : { settings: run.settings }),
      redis: redis.address,
      stateDirectory: config['state-directory'] ?? settings.stateDirectory,
      clock,
      random,
      logger,
      createClientFor,
      github: createGitHubPort({
        apiUrl: config.github.apiUrl ?? settings.github.apiUrl,
        access,
        clock,
        proxy,
      }),
      proxy,
      redact: (text) => session.redact(text),
      port: run.port,
      host: run.host,
    });
    if (run.onStart === undefined)
      showStart(session, config, worker.url, secrets.signIn(config) !== undefined);
    else await run.onStart(worker.url);
    await untilAborted(io.signal);
    if (!io.interactive) logger.info('The worker is stopping. Promotions continue after the next start.');
    // Drain only after SIGTERM to a worker without a terminal: only there may a load balancer have to notice the stop.
    const { reason } = io.signal;
    await worker.close({ drain: !io.interactive && reason instanceof Error && reason.message === 'SIGTERM' });
  } finally {
    await redis.close();
  }
  return 'passed';
}

/** The Redis of MILLRACE_REDIS_URL, or an embedded one under `.millrace/`. */
async function openUsualRedis({ io, settings }: Session, logger: Logger): Promise<OpenedRedis> {
  const { openRedis } = await import('./open-redis.ts');
  return openRedis(io, settings.redisUrl, logger);
}

/** Text on a terminal; otherwise JSON, for log collectors. */
async function openLogger(session: Session, verbose: boolean): Promise<Logger> {
  const { io, output } = session;
  if (io.interactive) return output.logger;
  const { createJsonLogger } = await import('../../worker/telemetry/json-logger.ts');
  return createJsonLogger((line) => void io.stderr.write(line), {
    redact: (text) => session.redact(text),
    verbose,
  });
}

/** The secrets of the worker, each read again after a rotation. */
function followWorkerSecrets(session: Session, logger: Logger) {
  const { clock } = session.io;
  const common = followSecrets((config: WorkerConfig) => webhookSecrets(config, session), {
    clock,
    logger,
    message: 'The webhook secrets cannot be read. The previous ones stay valid.',
  });
  // Each repository by itself: a file that cannot be read must not stop the rotation of other secrets.
  const repositorySecrets = followEach((config: WorkerConfig) => repositorySecretReaders(config, session), {
    clock,
    logger,
    message: 'The webhook secret of a single repository cannot be read. The previous one stays valid.',
  });
  const token = followSecrets(ownToken, {
    clock,
    logger,
    message: 'The token in MILLRACE_WORKER_TOKEN_FILE cannot be read. The previous one stays valid.',
  });
  const signIn = followSecrets((config: WorkerConfig) => readSignIn(config, session), {
    clock,
    logger,
    message: 'The client secret for sign-in with GitHub cannot be read. The previous one stays in use.',
  });
  return {
    /** Reads the secrets of a configuration that was just validated: they stay valid if they cannot be read later. */
    remember(config: WorkerConfig): void {
      common(config);
      repositorySecrets(config);
      signIn(config);
    },
    webhookSecrets: common,
    repositorySecrets,
    signIn,
    token: () => token(session),
  };
}

/** Creates a client for a credential of worker.yaml. */
async function platformClients(session: Session, logger: Logger): Promise<WorkerOptions['createClientFor']> {
  const { openPlatformClient } = await import('../../flows/context/open-platform-client.ts');
  const { clock, random, env } = session.io;
  return (name, middlewares, config) =>
    openPlatformClient({
      ...platformAccess(config, session, name),
      environment: env,
      clock,
      random,
      logger,
      middlewares,
    });
}

function showStart(session: Session, config: WorkerConfig, url: string, hasSignIn: boolean): void {
  session.output.result(
    { url, dashboard: `${config.url ?? url}/`, webhooks: `${url}/webhooks/github` },
    workerLines({
      url,
      publicUrl: config.url,
      operators: config.operators.filter(({ tokenHashes }) => tokenHashes.length > 0).length,
      hasSignIn,
      hasToken: session.settings.workerToken !== undefined,
      program: programName(session.io),
    }),
  );
}
