import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type RunningWorker, startWorker } from '../../../worker/app/start-worker.ts';
import type { WorkerSettings } from '../../../worker/settings/settings.ts';
import type { TestRedis } from '../../environment/redis.ts';
import { noLimits, type WorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { nodeVariables } from '../../environment/node-variables.ts';
import { entryOf } from '../../environment/processes/entry.ts';
import { firstOutput } from '../../environment/processes/first-output.ts';
import type { ProcessOptions } from './worker-process.ts';

/** Starts a worker in a process of its own; what still runs after the test is killed. */
export async function startProcess(
  redis: Pick<TestRedis, 'address'>,
  env: WorkerEnvironment,
  settings: Partial<WorkerSettings>,
): Promise<{ child: ChildProcess; url: string }> {
  const options: ProcessOptions = {
    redis: redis.address,
    settings: { githubLimits: noLimits, liveTickMs: 3_600_000, ...settings, prefix: env.prefix },
    platform: env.wire.baseUrl,
    token: env.platform.tokens.admin,
    github: env.github.apiUrl,
  };
  const child = spawn(
    process.execPath,
    [entryOf('test/worker/crash/worker-process'), JSON.stringify(options)],
    {
      env: { ...process.env, ...nodeVariables() },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  });
  const url = await firstOutput(child);
  return { child, url: url.trim() };
}

/** Kills a worker that `startProcess` started. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Starts another worker, in the process of the test; it closes after the test. */
export async function startSecondWorker(
  redis: TestRedis,
  env: WorkerEnvironment,
  settings: Partial<WorkerSettings>,
): Promise<RunningWorker> {
  const options = env.options(redis);
  const worker = await startWorker({ ...options, settings: { ...options.settings, ...settings } });
  onTestFinished(() => worker.close());
  return worker;
}
