import process from 'node:process';
import { DelayedError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { createClient } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { defaultSettings } from '../../../worker/settings/settings.ts';
import { policyFor } from './policy-for.ts';
import type { PollerOptions } from './start-poller.ts';

// A process that looks at executions until it is killed: the worker, or a bare BullMQ program that does only that.
const options = JSON.parse(process.argv[2] ?? '{}') as PollerOptions;
const redis = { kind: 'socket', path: options.socket } as const;
/** The same settings as in the worker, so that the cost of a crash can be compared. */
const locks = {
  lockDuration: defaultSettings.lockMs,
  stalledInterval: defaultSettings.stalledMs,
  maxStalledCount: 1_000_000,
};

async function millrace(): Promise<void> {
  const { prefix, platform, perMinute, rateLimitWindowMs = 60_000, pollScale } = options;
  await startWorker({
    config: readWorkerConfig(policyFor(perMinute), 'worker.yaml'),
    settings: {
      prefix,
      pollScale,
      rateLimitWindowMs,
      githubLimits: { perMinute: 1_000_000, perHour: 1_000_000, gapMs: 0 },
    },
    redis,
    clock: systemClock,
    // Without jitter, the time between two polls shows how late the second poll was.
    random: () => 0.5,
    logger: silentLogger,
    createClientFor: (_, middlewares) =>
      createClient({ baseUrl: platform, auth: { token: 'bench' }, middlewares }),
    github: createGitHubPort({
      apiUrl: `${platform}/github`,
      access: tokenAccess(() => 'bench'),
      clock: systemClock,
    }),
    webhookSecrets: () => [],
  });
}

async function bare(): Promise<void> {
  const pool = new Pool(new URL(options.platform).origin, { connections: 50 });
  const base = new URL(options.platform).pathname;
  const connection = new Redis(redis.path, { maxRetriesPerRequest: null });
  const worker = new Worker<{ id: string }>(
    'polls',
    async (job, token) => {
      const path = `${base}/v1/projects/p/pipeline-executions/${job.data.id}`;
      const { statusCode, body } = await pool.request({ path, method: 'GET' });
      const answer = (await body.json()) as { result?: { status?: string } };
      if (statusCode === 200 && answer.result?.status !== 'RUNNING') return;
      await job.moveToDelayed(Date.now() + options.intervalMs, token);
      throw new DelayedError();
    },
    {
      connection,
      prefix: options.prefix,
      concurrency: 50,
      ...locks,
      ...(options.limiter === undefined ? {} : { limiter: options.limiter }),
      removeOnComplete: { count: 0 },
    },
  );
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
}

await (options.kind === 'bare' ? bare() : millrace());
process.stdout.write('ready\n');
