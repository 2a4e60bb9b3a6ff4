import { expect, test } from 'vitest';
import { testRedis } from '../redis.ts';
import { begin, ended, pushed, release, slow, toTest } from './lanes-at-work.ts';

const redis = testRedis();

/** Two lanes that look at their executions at the same time. */
const side = toTest.replace('name: to-test', 'name: direct').replace('to: test', 'to: prod');

test.each([429, 503])(
  'a platform that says %i to one look is left alone by all runs for as long as it asks, and no run fails',
  async (status) => {
    const { around, worker } = await begin(redis, { lanes: `${toTest}${side}`, seed: slow(4_000) });
    await release(around, 'v1.0.0');
    around.platform.faults.set([
      { operation: 'executions.get', nth: 8, status, headers: { 'retry-after': '2' } },
    ]);
    await pushed(around, worker, 'v1.0.0');
    expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
    expect(await ended(worker, 'direct', 'v1.0.0')).toMatchObject({ outcome: 'passed' });

    const log = around.platform.requests().requests;
    const refused = Date.parse(log.find((request) => request.status === status)?.at ?? '');
    expect(refused).toBeGreaterThan(0);
    // What was on its way already may still come in.
    const since = log.map(({ at }) => Date.parse(at) - refused).filter((ms) => ms > 300);
    expect(since.filter((ms) => ms < 1_700)).toEqual([]);
    expect(since.length).toBeGreaterThan(0);
    expect(around.wire.count('POST', '/pipeline-executions')).toBe(2);
  },
);
