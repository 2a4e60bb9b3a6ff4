import process from 'node:process';
import { createClient } from '../../client/index.ts';
import { readWorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../lib/github/access/github-access.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { startWorker } from '../../worker/app/start-worker.ts';

/** The settings of a worker of the demo. They are passed in its environment, because other users can read its arguments. */
export interface WorkerSetting {
  readonly workerFile: string;
  readonly redis: RedisAddress;
  readonly prefix: string;
  readonly platformUrl: string;
  readonly platformToken: string;
  readonly githubApiUrl: string;
  readonly githubToken: string;
  readonly webhookSecret: string;
  readonly workerToken: string;
}

// A worker in a separate process, so that the demo can kill it. It is the worker of `millrace worker`, but its locks expire
// after three seconds instead of seven, to keep the demo short.
const setting = JSON.parse(process.env['MILLRACE_DEMO_WORKER'] ?? '{}') as WorkerSetting;
const worker = await startWorker({
  config: readWorkerConfig(setting.workerFile, 'worker.yaml'),
  settings: { prefix: setting.prefix, pollScale: 0.3, lockMs: 3_000, stalledMs: 1_000 },
  redis: setting.redis,
  clock: systemClock,
  random: Math.random,
  logger: silentLogger,
  createClientFor: (_, middlewares) =>
    createClient({ baseUrl: setting.platformUrl, auth: { token: setting.platformToken }, middlewares }),
  github: createGitHubPort({
    apiUrl: setting.githubApiUrl,
    access: tokenAccess(() => setting.githubToken),
    clock: systemClock,
  }),
  webhookSecrets: () => [setting.webhookSecret],
  token: () => setting.workerToken,
});
const stop = (): void => void worker.close().then(() => process.exit(0));
process.once('SIGTERM', stop);
// The terminal sends the SIGINT of Ctrl-C to this process too. The demo decides when to stop it.
process.on('SIGINT', () => undefined);
// stdin ends when the demo has ended.
process.stdin.resume().once('end', stop);
process.stdout.write(`${worker.url}\n`);
