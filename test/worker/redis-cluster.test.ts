import { expect, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import { startRedisCluster } from '../environment/redis-cluster.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { ended, holdOf, release, resumeLane, slow, toTest } from '../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment, deliver, promotionsOf } from '../environment/worker/worker-environment.ts';

test('a worker on a Redis Cluster promotes, and a failover under load loses no push and repeats no call', async () => {
  await using env = await createWorkerEnvironment({
    lanes: toTest.replace('to: test', 'to: test\n    policy: every'),
    seed: slow(2_000),
  });
  await using cluster = await startRedisCluster(`${env.prefix}:state`);
  const address = { kind: 'url', url: cluster.url } as const;
  const options = env.options({ address });
  await using worker = await startWorker({
    ...options,
    // A webhook is answered 202 only when the replica has it.
    config: { ...options.config, 'redis-replicas': 1 },
  });
  const versions = ['v1.0.0', 'v1.1.0', 'v1.2.0', 'v1.3.0'];
  const send = async (version: string): Promise<void> => {
    await release(env, version);
    const push = await env.push(`refs/tags/${version}`);
    // As GitHub, or a sweep, sends it again.
    await eventually(async () => [200, 202].includes((await deliver(worker.url, push)).status)).toBe(true);
  };
  for (const version of versions.slice(0, 3)) await send(version);
  // It is polled. What a replica lacks when its master dies would be an unknown outcome, which a person must give.
  await eventually(async () =>
    (await promotionsOf(worker.url, 'to-test')).some(({ step }) => step === 'watch'),
  ).toBe(true);
  const { redis } = cluster.master;
  await redis.set(`${env.prefix}:last`, '1');
  expect(await redis.wait(1, 10_000)).toBe(1);
  await cluster.killMaster();
  await cluster.restart();
  await send('v1.3.0');
  for (const version of versions) {
    // What the replica lacked of a promotion holds its lane.
    await eventually(async () => {
      if ((await holdOf(worker, 'to-test')) !== undefined) await resumeLane(worker, 'to-test');
      return env.versions('test');
    }).toContain(version);
    expect(await ended(worker, 'to-test', version)).toMatchObject({ outcome: 'passed' });
  }
  expect(env.wire.count('POST', '/promotions')).toBe(versions.length);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(versions.length);
});
