import { flushCompileCache } from 'node:module';
import { createClient } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { createJsonLogger } from '../../../worker/telemetry/json-logger.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import type { WorkerSettings } from '../../../worker/settings/settings.ts';
import { webhookSecret, workerFile, workerToken } from '../../environment/worker/worker-environment.ts';

/** What a worker in a process of its own is given. */
export interface ProcessOptions {
  readonly redis: RedisAddress;
  readonly settings: Partial<WorkerSettings>;
  readonly platform: string;
  readonly token: string;
  readonly github: string;
  /** Environments that worker.yaml allows; see `WorkerEnvironmentOptions`. */
  readonly targets?: readonly string[];
  readonly redisReplicas?: number;
  /** Where it keeps what operators say; none by default. */
  readonly stateDirectory?: string;
  /** The repository's entry of worker.yaml, beyond id, name, projects and credential; see `WorkerEnvironmentOptions`. */
  readonly policy?: string;
  /** The section `operators` of worker.yaml; none by default. */
  readonly operators?: string;
  /** Of the platform's credential. */
  readonly requestsPerMinute?: number;
  /** It is this App; else it has a token. */
  readonly app?: { readonly appId: number; readonly privateKey: string };
}

// A real worker that can be killed: prints its address once it runs, and logs where MILLRACE_TEST_LOG is set.
const toStderr = createJsonLogger((line) => void process.stderr.write(line), {
  redact: (text) => text,
  verbose: true,
});
const given = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const replicas = given.redisReplicas === undefined ? '' : `redis-replicas: ${given.redisReplicas}\n`;
const file = workerFile(given.policy, given.targets).replace(
  'token-env: TOKEN',
  `$&, requests-per-minute: ${given.requestsPerMinute ?? 1_000}`,
);
const worker = await startWorker({
  config: readWorkerConfig(`${replicas}${file}\n${given.operators ?? ''}`, 'worker.yaml'),
  settings: given.settings,
  redis: given.redis,
  stateDirectory: given.stateDirectory,
  clock: systemClock,
  random: Math.random,
  logger: process.env['MILLRACE_TEST_LOG'] === undefined ? silentLogger : toStderr,
  createClientFor: (_, middlewares) =>
    createClient({ baseUrl: given.platform, auth: { token: given.token }, middlewares }),
  github: createGitHubPort({
    apiUrl: given.github,
    access:
      given.app === undefined
        ? tokenAccess(() => 'worker')
        : appAccess({ apiUrl: given.github, ...given.app }),
    clock: systemClock,
  }),
  webhookSecrets: () => [webhookSecret],
  token: () => workerToken,
});
// Like the command `worker`, it ends as soon as nothing keeps it running.
process.once('SIGTERM', () => void worker.close());
process.stdout.write(`${worker.url}\n`);
// A test kills this process, and Node keeps compiled code only at an orderly end.
flushCompileCache();
