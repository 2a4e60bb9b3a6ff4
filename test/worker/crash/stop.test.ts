import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { createTestEnvironment, ended, release, toTest } from '../../environment/worker/lanes-at-work.ts';
import { askWorker, deliver, createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';

const redis = testRedis();

test('a worker stops while its sweep waits for a GitHub that hangs', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const options = env.options(redis);
  const hanging = Promise.withResolvers<void>();
  const worker = await startWorker({
    ...options,
    github: {
      ...options.github,
      repository: () => {
        hanging.resolve();
        return Promise.withResolvers<never>().promise;
      },
    },
    settings: { ...options.settings, stopWithinMs: 200 },
  });
  await hanging.promise;
  await worker.close();
  await expect(fetch(`${worker.url}/livez`)).rejects.toThrow('fetch failed');
});

test('strangers who announce large bodies and send nothing do not keep deliveries out', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  const size = 25 * 1024 * 1024;
  for (let i = 0; i < 8; i += 1) {
    const stranger = request(`${worker.url}/webhooks/github`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': size,
        'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
        expect: '100-continue',
      },
    });
    stranger.on('error', () => undefined);
    onTestFinished(() => void stranger.destroy());
    stranger.flushHeaders();
    await once(stranger, 'continue');
  }
  expect(await deliver(worker.url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('an operator’s body that is too long is refused with 413', async () => {
  const { worker } = await createTestEnvironment(redis, { lanes: toTest });
  const long = { reason: 'x'.repeat(70_000) };
  expect(await askWorker(worker.url, 'lanes/x/hold', long)).toMatchObject({ status: 413 });
});
