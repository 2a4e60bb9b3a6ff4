import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
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
      readRepositories: () => {
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

test('a worker that drains answers 503 until the time of worker.yaml is over, and only then closes its port', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const options = env.options(redis);
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const drain = 123_000;
  const sleep: typeof systemClock.sleep = (ms, signal) => {
    if (ms !== drain) return systemClock.sleep(ms, signal);
    begun.resolve();
    return over.promise;
  };
  const worker = await startWorker({
    ...options,
    clock: { ...systemClock, sleep },
    config: { ...options.config, drain },
  });
  await release(env, 'v1.0.0');
  const { headers, body } = await env.push('refs/tags/v1.0.0');
  const send = () => fetch(`${worker.url}/webhooks/github`, { method: 'POST', headers, body });
  const closing = worker.close({ drain: true });
  await begun.promise;
  const answer = await send();
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('connection')).toBe('close');
  expect(await answer.json()).toMatchObject({ reason: 'stopping' });
  const ready = await fetch(`${worker.url}/readyz`);
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
  expect((await fetch(`${worker.url}/livez`)).status).toBe(200);
  over.resolve();
  await closing;
  await expect(send()).rejects.toThrow('fetch failed');
});

test('a worker that stops cancels a promotion that waits for a platform that hangs', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const worker = await startWorker({
    ...options,
    settings: { ...options.settings, stopWithinMs: 200 },
  });
  const [asked, never] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  onTestFinished(async () => {
    never.resolve(undefined);
    await env[Symbol.asyncDispose]();
  });
  await release(env, 'v1.0.0');
  env.wire.interfere(() => {
    asked.resolve();
    return never.promise;
  });
  await pushed(env, worker, 'v1.0.0');
  await asked.promise;
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
