import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import { createTestEnvironment, ended, release, toTest } from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';

const redis = testRedis();

/** What may be wrong with a Redis, how it comes about and how it ends. */
const faults: readonly {
  readonly name: string;
  readonly start: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}[] = [
  {
    name: 'frozen',
    start: async () => process.kill(redis.pid, 'SIGSTOP'),
    end: async () => process.kill(redis.pid, 'SIGCONT'),
  },
  {
    name: 'full',
    start: () => redis.connect('probe').config('SET', 'maxmemory', '1'),
    end: () => redis.connect('probe').config('SET', 'maxmemory', '0'),
  },
  {
    name: 'read-only after a failover',
    start: () => redis.connect('probe').replicaof('127.0.0.1', 1),
    end: () => redis.connect('probe').replicaof('NO', 'ONE'),
  },
];

test.each(faults)(
  'a Redis that is $name: 503 before the sender gives up, nothing is lost, and the worker recovers by itself',
  async (fault) => {
    const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
    await release(env, 'v1.0.0');
    const delivery = await env.push('refs/tags/v1.0.0');
    const send = () =>
      fetch(`${worker.url}/webhooks/github`, {
        method: 'POST',
        headers: delivery.headers,
        body: delivery.body,
      });
    await fault.start();
    try {
      const answer = await send();
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await fetch(`${worker.url}/readyz`)).status).toBe(503);
      // A restart would not fix it.
      expect((await fetch(`${worker.url}/livez`)).status).toBe(200);
    } finally {
      await fault.end();
    }
    await eventually(async () => (await fetch(`${worker.url}/readyz`)).status).toBe(200);
    // GitHub sends it again, or the sweep asks it to.
    await eventually(async () => [200, 202].includes((await send()).status)).toBe(true);
    expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
    expect(env.wire.count('POST', '/promotions')).toBe(1);
  },
);

test('while Redis is killed pushes get 503, and a redelivered push is promoted once', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  process.kill(redis.pid, 'SIGKILL');
  await eventually(async () => {
    const { headers, body } = await env.push('refs/tags/v1.0.0');
    return (await fetch(`${worker.url}/webhooks/github`, { method: 'POST', headers, body })).status;
  }).toBe(202);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/promotions')).toBe(1);
});
