import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { Logger } from '../../../lib/core/ports.ts';
import type { WorkerOptions } from '../../../worker/app/start-worker.ts';
import { commandAction, type AddCommand, defineCommand, type Shell } from '../../kit/command.ts';
import { readGitHubAccess } from '../../kit/github-access.ts';
import { readSignIn } from '../../kit/github-sign-in.ts';
import { followEach, followSecrets } from '../../kit/follow-secrets.ts';
import { parsePort } from '../../kit/parse-port.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { untilAborted } from '../../kit/until-aborted.ts';
import {
  ownToken,
  platformAccess,
  repositorySecretReaders,
  webhookSecrets,
} from '../../kit/worker-access.ts';
import { secretReader } from '../../kit/worker-file.ts';
import { openWorkerSetup } from '../../kit/worker-setup.ts';
import { workerLines } from '../../kit/worker-lines.ts';

interface Options extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly config?: string;
}

/** `millrace worker`: receives push webhooks and promotes versions through the lanes until a signal stops it. */
export const addWorker: AddCommand = (program, shell) => {
  const command = defineCommand(
    program,
    'worker',
    'Start the webhook worker with the configuration of worker.yaml (or --config).',
  )
    .option('--port <number>', 'port for webhooks, dashboard and API; 0 means any free port', parsePort, 8080)
    .option(
      '--host <address>',
      'address to listen on; put a proxy with TLS in front of a non-loopback address',
      '127.0.0.1',
    )
    .action(commandAction<Options>(shell, runWorker));
  addWorkerToken(command, shell);
};

async function runWorker(session: Session, options: Options): Promise<'passed'> {
  const { io, settings } = session;
  const { setup, configFile } = await openWorkerSetup(session, options.config ?? 'worker.yaml');
  const { config } = setup;
  const access = await readGitHubAccess(config.github, settings.github, secretReader(session));
  const logger = await openLogger(session, options);
  const { validateApp } = await import('../../kit/check-github-app.ts');
  await validateApp(access, logger);
  const { createGitHubPort } = await import('../../../lib/github/create-github-port.ts');
  const { openRedis } = await import('../../kit/open-redis.ts');
  const { startWorker } = await import('../../../worker/app/start-worker.ts');
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
  const redis = await openRedis(io, settings.redisUrl, logger);
  try {
    await using worker = await startWorker({
      ...setup,
      ...secrets,
      // A closed terminal ends the worker as ever; without one, SIGHUP reads the file again.
      configFile: io.interactive ? { ...followed, onRequest: undefined } : followed,
      redis: redis.address,
      clock,
      random,
      logger,
      createClientFor,
      github: createGitHubPort({ apiUrl: config.github.apiUrl ?? settings.github.apiUrl, access, clock }),
      port: options.port,
      host: options.host,
    });
    showStart(session, config, worker.url, secrets.signIn(config) !== undefined);
    await untilAborted(io.signal);
    if (!io.interactive) logger.info('The worker is stopping. Promotions continue after the next start.');
    // Ctrl-C and a terminal have no load balancer that must notice.
    const { reason } = io.signal;
    await worker.close({ drain: !io.interactive && reason instanceof Error && reason.message === 'SIGTERM' });
  } finally {
    await redis.close();
  }
  return 'passed';
}

/** Text on a terminal; otherwise JSON, for log collectors. */
async function openLogger(session: Session, options: Options): Promise<Logger> {
  const { io, output } = session;
  if (io.interactive) return output.logger;
  const { createJsonLogger } = await import('../../../worker/telemetry/json-logger.ts');
  return createJsonLogger((line) => void io.stderr.write(line), {
    redact: (text) => session.redact(text),
    verbose: options.verbose ?? false,
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
  // Each by itself: a file that cannot be read must not stop the rotation of the others.
  const own = followEach((config: WorkerConfig) => repositorySecretReaders(config, session), {
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
    /** Reads those of a configuration that was just validated: they stay valid if they cannot be read later. */
    remember(config: WorkerConfig): void {
      common(config);
      own(config);
      signIn(config);
    },
    webhookSecrets: common,
    repositorySecrets: own,
    signIn,
    token: () => token(session),
  };
}

/** Creates a client for a credential of worker.yaml. */
async function platformClients(session: Session, logger: Logger): Promise<WorkerOptions['createClientFor']> {
  const { openPlatformClient } = await import('../../../flows/context/open-platform-client.ts');
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
    }),
  );
}

/** `millrace worker token`: creates a token for an operator, and its hash for worker.yaml. */
function addWorkerToken(worker: Command, shell: Shell): void {
  // Options after the subcommand's name belong to the subcommand.
  worker.parent?.enablePositionalOptions();
  worker.enablePositionalOptions();
  defineCommand(worker, 'token', 'Create a token for an operator, and its hash for worker.yaml.').action(
    commandAction<CommonOptions>(shell, async (session) => {
      // 256 random bits cannot be guessed, so a plain digest is safe to store.
      const token = `mrw_${randomBytes(32).toString('base64url')}`;
      const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
      session.output.result({ token, hash }, [
        `token:      ${token}`,
        `token-hash: ${hash}`,
        'Give the token to the operator, who sets MILLRACE_WORKER_TOKEN to it. It is not shown again.',
        'Add the hash to `operators` in worker.yaml.',
      ]);
      return 'passed';
    }),
  );
}
