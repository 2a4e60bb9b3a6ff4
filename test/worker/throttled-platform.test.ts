import { expect, test } from 'vitest';
import { testRedis } from '../redis.ts';
import { begin, ended, pushed, release, toTest } from './lanes-at-work.ts';

const redis = testRedis();

test('a platform that says 429 slows all calls for as long as it asks, and the run ends all the same', async () => {
  const { around, worker } = await begin(redis, { lanes: toTest });
  await release(around, 'v1.0.0');
  around.platform.faults.set([
    { operation: 'artifacts.promote', nth: 1, status: 429, headers: { 'retry-after': '2' } },
  ]);
  await pushed(around, worker, 'v1.0.0');
  const run = await ended(worker, 'to-test', 'v1.0.0');
  expect(run.outcome).toBe('passed');
  const sent = around.platform.requests().requests.filter(({ path }) => path.includes('/artifacts'));
  const refused = sent.findIndex(({ status }) => status === 429);
  expect(refused).toBeGreaterThan(0);
  const at = (index: number): number => Date.parse(sent[index]?.at ?? '');
  const pause = at(refused + 1) - at(refused);
  expect(pause).toBeGreaterThan(1_500);
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(2);
});

test('a refused read is no fault of the run: it is read again when the platform takes requests', async () => {
  const { around, worker } = await begin(redis, { lanes: toTest });
  await release(around, 'v1.0.0');
  around.platform.faults.set([
    { operation: 'executions.get', times: 2, status: 503, headers: { 'retry-after': '1' } },
  ]);
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(1);
});
