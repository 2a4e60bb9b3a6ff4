import { expect, onTestFinished, test } from 'vitest';
import type { Middleware } from '../../../client/index.ts';
import type { LanePlan } from '../../../worker/records/plan.ts';
import { takeTurn } from '../../../worker/promotion/take-turn.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { surroundings } from '../../environment/worker/surroundings.ts';
import { acceptedRun, engineOn } from './engine-on.ts';

const redis = testRedis();
const here = new AbortController().signal;

const verified: Partial<LanePlan> = {
  verify: [{ pipeline: 'daily/load', variables: {}, timeout: 60_000 }],
  onFailure: 'rollback',
};

async function begin() {
  const around = await surroundings({ lanes: toTest });
  onTestFinished(() => around[Symbol.asyncDispose]());
  return { around, engine: engineOn(redis, around, around.wire) };
}

test.each([
  ['promotion', '/artifacts/promotions'],
  ['start', '/pipeline-executions'],
])(
  'a worker that stops just before its %s leaves the version as it is: the next one sends it',
  async (_, path) => {
    const { around, engine } = await begin();
    const stopping = new AbortController();
    // The intent is written; the worker stops before the request has left.
    const stop: Middleware = (request, next) => {
      if (request.method === 'POST' && request.url.includes(path))
        stopping.abort(new Error('the worker stops'));
      return next(request);
    };
    const stopped = engineOn(redis, around, around.wire, [stop]);
    const id = await acceptedRun(around, stopped, verified);
    await expect(takeTurn(id, stopped, stopping.signal)).rejects.toThrow(/cancelled|stops/);
    expect(around.wire.count('POST', path)).toBe(0);
    expect(await engine.store.run(id)).toMatchObject({ state: 'active', intent: undefined });
    expect(await takeTurn(id, engine, here)).toBeGreaterThan(0);
    expect(around.wire.count('POST', path)).toBe(1);
    expect(await engine.store.run(id)).toMatchObject({ state: 'active', step: { name: 'watch' } });
  },
);

test('a start that was taken, but could not be written down, is not known: nothing is rolled back', async () => {
  const { around, engine } = await begin();
  const id = await acceptedRun(around, engine, verified);
  const { record } = engine.store;
  const full = {
    ...engine,
    store: {
      ...engine.store,
      record: (...given: Parameters<typeof record>) =>
        given[1].what === 'started' ? Promise.reject(new Error('READONLY')) : record(...given),
    },
  };
  await expect(takeTurn(id, full, here)).rejects.toThrow('READONLY');
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await takeTurn(id, engine, here)).toBeUndefined();
  expect(await engine.store.run(id)).toMatchObject({ outcome: 'indeterminate' });
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await around.versions('test')).toEqual(['v1.0.0']);
});

test('a run whose start may have happened is indeterminate, not only set aside, after too many crashes', async () => {
  const { around, engine } = await begin();
  const id = await acceptedRun(around, engine, verified);
  const intent = { effect: 'start', at: 0, what: 'daily/load' };
  await redis.connect().hset(`${around.prefix}:run:${id}`, {
    step: JSON.stringify({ name: 'start', verify: 0, since: 0 }),
    intent: JSON.stringify(intent),
    unfinished: engine.settings.mostCrashes,
  });
  await takeTurn(id, engine, here);
  expect(await engine.store.run(id)).toMatchObject({ outcome: 'indeterminate' });
  expect((await engine.store.lane('lane'))?.holds[0]?.why).toContain('not known: start daily/load');
  expect(await engine.deadLetters.count()).toBe(0);
});
