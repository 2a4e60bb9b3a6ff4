import { expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import type { TestRedis } from '../environment/redis.ts';
import { startRedisGroup } from '../environment/redis-group.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { ended, pushed, release, toTest } from '../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment, deliver } from '../environment/worker/worker-environment.ts';

test('without a replica that has the record, a webhook is answered 503 and a promotion waits with its call', async () => {
  await using group = await startRedisGroup({ members: 2, sentinels: 1 });
  const address = { kind: 'url', url: group.url } as const;
  const redis: Pick<TestRedis, 'address' | 'connect'> = {
    address,
    connect(role = 'worker') {
      const connection = connectRedis({ address, role });
      onTestFinished(() => connection.disconnect());
      return connection;
    },
  };
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options({ ...redis, pid: 0, empty: () => Promise.resolve() });
  await using worker = await startWorker({
    ...options,
    config: { ...options.config, 'redis-replicas': 1 },
    settings: { ...options.settings, unansweredMs: 200 },
  });
  await release(env, 'v1.0.0');

  await group.cutReplicas();
  const push = await env.push('refs/tags/v1.0.0');
  expect(await deliver(worker.url, push)).toMatchObject({ status: 503 });
  await group.joinReplicas();
  // It was stored, but the sender could not rely on it.
  expect(await deliver(worker.url, push)).toMatchObject({ status: 200 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });

  const commit = await release(env, 'v1.1.0');
  const reached = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<undefined>();
  env.wire.interfere(({ method, path }) => {
    if (method !== 'GET' || !path.includes('artifacts')) return undefined;
    reached.resolve();
    return cut.promise;
  });
  await pushed(env, worker, 'v1.1.0');
  await reached.promise;
  await group.cutReplicas();
  cut.resolve(undefined);
  await eventually(() => env.status(commit, 'millrace/to-test')).toContain(
    'Waiting: too few replicas of Redis have the records',
  );
  expect(env.wire.count('POST', '/promotions')).toBe(1);
  await group.joinReplicas();
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/promotions')).toBe(2);
});
