import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkerConfig } from '../../config/read-worker-config.ts';
import { resolveCredential } from '../../config/resolve-credential.ts';
import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, define } from '../command.ts';
import { readGitHubAccess, type SecretReader } from '../github-access.ts';
import { notifyTargets } from '../notify-targets.ts';
import { port } from '../port.ts';
import type { CommonOptions, Session } from '../session.ts';
import { untilAborted } from '../until-aborted.ts';
import { addWorkerToken } from './worker-token.ts';

interface Options extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly config?: string;
}

/** `millrace worker`: takes push webhooks and promotes versions along the lanes, until it is told to stop. */
export const addWorker: AddCommand = (program, shell) => {
  const command = define(
    program,
    'worker',
    'Start the webhook worker, configured by worker.yaml (or --config).',
  )
    .option('--port <number>', 'port for webhooks and the operators’ API, 0 for any free one', port, 8080)
    .option(
      '--host <address>',
      'address to listen on; a proxy with TLS belongs before others than loopback',
      '127.0.0.1',
    )
    .action(
      act<Options>(shell, async (session, options) => {
        const { io, output, settings } = session;
        const config = await readConfig(session, options.config ?? 'worker.yaml');
        const secretText = fromReference(
          config.github.webhookSecretEnv,
          config.github.webhookSecretFile,
          session,
        );
        const secrets =
          secretText === undefined
            ? settings.webhookSecrets.map((secret) => secret.reveal())
            : linesOf(secretText);
        if (secrets.length === 0) {
          throw new Failure('usage', {
            message: 'The webhook secret is not set, so no delivery could be trusted.',
            where: { input: 'MILLRACE_WEBHOOK_SECRET' },
            mend: 'Set MILLRACE_WEBHOOK_SECRET (or MILLRACE_WEBHOOK_SECRET_FILE) to the secret of the webhook on GitHub.',
          });
        }
        const reader: SecretReader = {
          read: (variable, file) => fromReference(variable, file, session),
          mask: (values) => session.mask(values),
        };
        const githubAccess = await readGitHubAccess(config.github, settings.github, reader);
        const notify = notifyTargets(config.notify, reader);
        session.mask(secrets);
        const accessOf = (name: string) => {
          const reference = config.credentials[name];
          if (reference === undefined)
            throw new Failure('internal', { message: `There is no credential ${name}.` });
          const access = resolveCredential(reference, io.env, (file) =>
            readFileSync(path.resolve(io.cwd, file), 'utf8'),
          );
          const { credential } = access;
          session.mask([credential.kind === 'token' ? credential.token : credential.clientSecret]);
          return access;
        };
        // Before the first webhook comes: a credential that is not set is found at the start.
        for (const { credential } of config.repositories) accessOf(credential);

        const { openPlatform } = await import('../open-platform.ts');
        const { openRedis } = await import('../open-redis.ts');
        const { createGitHubPort } = await import('../../worker/github/create-github-port.ts');
        const { startWorker } = await import('../../worker/start-worker.ts');
        const { clock, random } = io;
        // A person reads sentences; what collects logs reads JSON.
        const { createJsonLogger } = await import('../../worker/json-logger.ts');
        const logger = io.interactive
          ? output.logger
          : createJsonLogger((line) => void io.stderr.write(line), {
              redact: (text) => session.redact(text),
              verbose: options.verbose ?? false,
            });
        const redis = await openRedis(io, settings.redisUrl, logger);
        try {
          await using worker = await startWorker({
            config,
            redis: redis.address,
            clock,
            random,
            logger,
            createClientFor: (name, middlewares) =>
              openPlatform(io, { ...accessOf(name), logger, middlewares }),
            github: createGitHubPort({
              apiUrl: config.github.apiUrl ?? settings.github.apiUrl,
              access: githubAccess,
              clock,
            }),
            notify,
            webhookSecrets: () => secrets,
            token: settings.workerToken?.reveal(),
            port: options.port,
            host: options.host,
          });
          output.result({ url: worker.url, webhooks: `${worker.url}/webhooks/github` }, [
            `The worker listens on ${worker.url}`,
            `  webhooks go to ${worker.url}/webhooks/github`,
            settings.workerToken === undefined
              ? '  MILLRACE_WORKER_TOKEN is not set: lanes and runs cannot be looked at or steered'
              : `  lanes and runs: MILLRACE_WORKER_URL=${worker.url} millrace lanes`,
            'Ctrl-C stops it; runs go on when it is started again.',
          ]);
          await untilAborted(io.signal);
          if (!io.interactive) logger.info('The worker stops; runs go on when it is started again.');
        } finally {
          await redis.close();
        }
        return 'passed';
      }),
    );
  addWorkerToken(command, shell);
};

async function readConfig({ io }: Session, file: string): Promise<WorkerConfig> {
  const { readWorkerConfig } = await import('../../config/read-worker-config.ts');
  try {
    return readWorkerConfig(await readFile(path.resolve(io.cwd, file), 'utf8'), file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new Failure('config-missing', {
      message: `There is no ${file}: it says which repositories the worker serves.`,
      where: { file },
      mend: 'Write it (docs/worker.md shows one), or name it with --config.',
    });
  }
}

/** A secret that worker.yaml names by variable or file; undefined where it names none. */
function fromReference(
  variable: string | undefined,
  file: string | undefined,
  { io }: Session,
): string | undefined {
  if (variable !== undefined) return io.env[variable];
  if (file === undefined) return undefined;
  try {
    return readFileSync(path.resolve(io.cwd, file), 'utf8').trim();
  } catch (cause) {
    throw new Failure('config-missing', {
      message: `The file ${file}, which worker.yaml names, cannot be read.`,
      where: { file },
      cause,
    });
  }
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
