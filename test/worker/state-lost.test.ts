import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../worker/start-worker.ts';
import { testRedis } from '../redis.ts';
import { begin, ended, holdOf, letGo, pushed, release, tagged, toTest, twoLanes } from './lanes-at-work.ts';
import { eventually } from './eventually.ts';
import { askWorker, runsOf, type Surroundings, surroundings } from './surroundings.ts';

const redis = testRedis();

/** Takes away all that the worker has in Redis: its lanes, runs, jobs and the marker. */
async function lose(around: Surroundings): Promise<void> {
  const connection = redis.connect();
  await connection.del(...(await connection.keys(`${around.prefix}*`)));
}

test('where the records vanish under a running worker, all lanes are there again, on hold, with what is live', async () => {
  const { around, worker } = await begin(redis, { lanes: twoLanes });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-prod', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  await lose(around);
  await eventually(() => holdOf(worker, 'to-prod')).toContain('state-lost');
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  const { body } = await askWorker<{ lanes: { name: string; live: { version: string } }[] }>(
    worker.url,
    'lanes',
  );
  expect(body.lanes.map(({ name, live }) => [name, live.version])).toEqual([
    ['to-prod', 'v1.0.0'],
    ['to-test', 'v1.0.0'],
  ]);

  // What is pushed now waits, and goes on when a person has released the lane.
  const calls = around.wire.count('POST', '/promotions');
  await release(around, 'v2.0.0');
  await pushed(around, worker, 'v2.0.0');
  await eventually(async () => (await runsOf(worker.url, 'to-test')).length).toBe(1);
  expect(around.wire.count('POST', '/promotions')).toBe(calls);
  await letGo(worker, 'to-test');
  expect(await ended(worker, 'to-test', 'v2.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a push that comes before the lanes are made anew is kept and runs in a held lane', async () => {
  const { around, worker } = await begin(redis, { lanes: toTest });
  await release(around, 'v1.0.0');
  await lose(around);
  // GitHub cannot be asked for the lanes for a while, but answers about the push.
  let refused = 0;
  around.github.interfere(({ path }) => {
    if (!path.includes('/contents/') || refused > 2) return undefined;
    refused += 1;
    return { status: 502, body: { message: 'bad gateway' } };
  });
  await pushed(around, worker, 'v1.0.0');
  await eventually(async () => (await runsOf(worker.url, 'to-test')).length).toBe(1);
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  expect(around.wire.count('POST', '/promotions')).toBe(0);
});

test.each([
  ['lost', 'state-lost'],
  ['new', undefined],
] as const)('an empty Redis at the start is %s where worker.yaml says so', async (emptyMeans, hold) => {
  const around = await surroundings({ lanes: toTest });
  const options = around.options(redis);
  const worker = await startWorker({ ...options, config: { ...options.config, 'empty-redis': emptyMeans } });
  onTestFinished(async () => {
    await worker.close();
    await around[Symbol.asyncDispose]();
  });
  await tagged(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await eventually(async () => (await runsOf(worker.url, 'to-test')).length).toBe(1);
  const found = await holdOf(worker, 'to-test');
  if (hold === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(hold);
});
