import { expect, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import { keysUnder } from '../../worker/store/scripts/keys.ts';
import { testRedis } from '../environment/redis.ts';
import { takeSnapshot } from '../environment/redis-snapshot.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  holdOf,
  pushed,
  release,
  resumeLane,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { promotionsOf } from '../environment/worker/worker-environment.ts';

const redis = testRedis();

test('a running worker whose records went back holds the lane, promotes nothing twice, and continues once it is resumed', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { reconcileMs: 50, sweepTickMs: 50 },
  );
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const restore = await takeSnapshot(redis.connect(), env.prefix);
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await ended(worker, 'to-test', 'v1.1.0');
  await restore();
  await eventually(() => holdOf(worker, 'to-test')).toMatch(/^state-older: .*is lost/);
  // The sweep finds the push again, in the held lane.
  const again = async () =>
    (await promotionsOf(worker.url, 'to-test')).find(({ version }) => version === 'v1.1.0');
  await eventually(again).toMatchObject({ state: 'queued' });
  expect(env.wire.count('POST', '/promotions')).toBe(2);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
  await resumeLane(worker, 'to-test');
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/promotions')).toBe(2);
});

test('a worker that starts on an older state compares it with the platform, and holds the lane', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const connection = redis.connect();
  const restore = await takeSnapshot(connection, env.prefix);
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await ended(worker, 'to-test', 'v1.1.0');
  await worker.close();
  await restore();
  // Another process has the state: the server of this test was not restarted.
  await connection.hset(keysUnder(env.prefix).epoch, 'run', 'another');
  await using next = await startWorker(env.options(redis));
  await eventually(() => holdOf(next, 'to-test')).toMatch(/^state-older: .*v1\.1\.0 is live in test/);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
});
