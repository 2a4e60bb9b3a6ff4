import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { readGitHubAccess } from '../../kit/github-access.ts';
import { readSignIn } from '../../kit/github-sign-in.ts';
import { followSecrets } from '../../kit/follow-secrets.ts';
import { parsePort } from '../../kit/parse-port.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { untilAborted } from '../../kit/until-aborted.ts';
import { ownToken, platformAccess, repositorySecrets, webhookSecrets } from '../../kit/worker-access.ts';
import { secretReader } from '../../kit/worker-file.ts';
import { openWorkerSetup } from '../../kit/worker-setup.ts';
import { workerLines } from '../../kit/worker-lines.ts';
import { addWorkerToken } from './worker-token.ts';

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
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { io, output, settings } = session;
        const { setup, configFile } = await openWorkerSetup(session, options.config ?? 'worker.yaml');
        const { config } = setup;
        const reader = secretReader(session);
        const githubAccess = await readGitHubAccess(config.github, settings.github, reader);

        const { openPlatformClient } = await import('../../../flows/context/open-platform-client.ts');
        const { openRedis } = await import('../../kit/open-redis.ts');
        const { createGitHubPort } = await import('../../../lib/github/create-github-port.ts');
        const { startWorker } = await import('../../../worker/app/start-worker.ts');
        const { clock, random } = io;
        // Text on a terminal; otherwise JSON, for log collectors.
        const { createJsonLogger } = await import('../../../worker/telemetry/json-logger.ts');
        const logger = io.interactive
          ? output.logger
          : createJsonLogger((line) => void io.stderr.write(line), {
              redact: (text) => session.redact(text),
              verbose: options.verbose ?? false,
            });
        const { validateApp } = await import('../../kit/check-github-app.ts');
        await validateApp(githubAccess, logger);
        const secretsOf = followSecrets(
          (current: WorkerConfig) => ({
            common: webhookSecrets(current, session),
            own: repositorySecrets(current, session),
          }),
          {
            clock,
            logger,
            message: 'The webhook secrets cannot be read. The previous ones stay valid.',
          },
        );
        const signInOf = followSecrets((current: WorkerConfig) => readSignIn(current, session), {
          clock,
          logger,
          message: 'The client secret for sign-in with GitHub cannot be read. The previous one stays in use.',
        });
        const tokenOf = followSecrets(ownToken, {
          clock,
          logger,
          message: 'The token in MILLRACE_WORKER_TOKEN_FILE cannot be read. The previous one stays valid.',
        });
        const redis = await openRedis(io, settings.redisUrl, logger);
        try {
          await using worker = await startWorker({
            ...setup,
            // A closed terminal ends the worker as ever; without one, SIGHUP reads the file again.
            configFile: io.interactive ? { ...configFile, onRequest: undefined } : configFile,
            redis: redis.address,
            clock,
            random,
            logger,
            createClientFor: (name, middlewares, current) =>
              openPlatformClient({
                ...platformAccess(current, session, name),
                environment: io.env,
                clock,
                random,
                logger,
                middlewares,
              }),
            github: createGitHubPort({
              apiUrl: config.github.apiUrl ?? settings.github.apiUrl,
              access: githubAccess,
              clock,
            }),
            webhookSecrets: (current) => secretsOf(current).common,
            repositorySecrets: (current) => secretsOf(current).own,
            signIn: signInOf,
            token: () => tokenOf(session),
            port: options.port,
            host: options.host,
          });
          const { url } = worker;
          output.result(
            { url, dashboard: `${config.url ?? url}/`, webhooks: `${url}/webhooks/github` },
            workerLines({
              url,
              publicUrl: config.url,
              operators: config.operators.filter(({ tokenHashes }) => tokenHashes.length > 0).length,
              hasSignIn: signInOf(config) !== undefined,
              hasToken: settings.workerToken !== undefined,
            }),
          );
          await untilAborted(io.signal);
          if (!io.interactive)
            logger.info('The worker is stopping. Promotions continue after the next start.');
        } finally {
          await redis.close();
        }
        return 'passed';
      }),
    );
  addWorkerToken(command, shell);
};
