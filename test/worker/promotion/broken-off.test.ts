import { expect, onTestFinished, test } from 'vitest';
import type { Middleware } from '../../../client/index.ts';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { acceptedPromotion, portsOn } from './ports-on.ts';

const redis = testRedis();
const here = new AbortController().signal;

const verified: Partial<PromotionLane> = {
  verify: [{ pipeline: 'daily/load', variables: {}, timeout: 60_000 }],
  onFailure: 'rollback',
};

async function createTestEnvironment() {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return { env, ports: portsOn(redis, env, env.wire) };
}

test.each([
  ['promotion', '/artifacts/promotions'],
  ['start', '/pipeline-executions'],
])(
  'a worker that stops just before its %s leaves the version as it is: the next one sends it',
  async (_, path) => {
    const { env, ports } = await createTestEnvironment();
    const stopping = new AbortController();
    // The intent is written; the worker stops before the request has left.
    const stop: Middleware = (request, next) => {
      if (request.method === 'POST' && request.url.includes(path))
        stopping.abort(new Error('the worker stops'));
      return next(request);
    };
    const stopped = portsOn(redis, env, env.wire, [stop]);
    const id = await acceptedPromotion(env, stopped, verified);
    await expect(advancePromotion(id, stopped, stopping.signal)).rejects.toThrow(/cancelled|stops/);
    expect(env.wire.count('POST', path)).toBe(0);
    expect(await ports.store.promotion(id)).toMatchObject({ state: 'active', intent: undefined });
    expect(await advancePromotion(id, ports, here)).toBeGreaterThan(0);
    expect(env.wire.count('POST', path)).toBe(1);
    expect(await ports.store.promotion(id)).toMatchObject({ state: 'active', step: { name: 'watch' } });
  },
);

test('a worker that stops just after a promotion records its answer before', async () => {
  const { env, ports } = await createTestEnvironment();
  const stopping = new AbortController();
  const stop: Middleware = async (request, next) => {
    const answer = await next(request);
    if (request.method === 'POST') stopping.abort(new Error('the worker stops'));
    return answer;
  };
  const stopped = portsOn(redis, env, env.wire, [stop]);
  const id = await acceptedPromotion(env, stopped, verified);
  await expect(advancePromotion(id, stopped, stopping.signal)).rejects.toThrow('stops');
  expect(await ports.store.promotion(id)).toMatchObject({ intent: undefined, step: { name: 'start' } });
  const history = await ports.store.history({ promotion: id });
  expect(history.slice(2).map(({ what }) => what)).toEqual(['resolved', 'intend-promote', 'promoted']);
});

test('without the usual duration of an execution it is started all the same', async () => {
  const { env, ports } = await createTestEnvironment();
  const id = await acceptedPromotion(env, ports, verified);
  const durations = { ...ports.durations, median: () => Promise.reject(new Error('no answer')) };
  expect(await advancePromotion(id, { ...ports, durations }, here)).toBeGreaterThan(0);
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await ports.store.promotion(id)).toMatchObject({ intent: undefined, step: { name: 'watch' } });
});

test('an accepted start that could not be recorded is indeterminate, and nothing is rolled back', async () => {
  const { env, ports } = await createTestEnvironment();
  const id = await acceptedPromotion(env, ports, verified);
  const { record } = ports.store;
  const full = {
    ...ports,
    store: {
      ...ports.store,
      record: (...given: Parameters<typeof record>) =>
        [given[1], ...(given[2] ?? [])].some(({ what }) => what === 'started')
          ? Promise.reject(new Error('READONLY'))
          : record(...given),
    },
  };
  await expect(advancePromotion(id, full, here)).rejects.toThrow('READONLY');
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await advancePromotion(id, ports, here)).toBeUndefined();
  expect(await ports.store.promotion(id)).toMatchObject({ outcome: 'indeterminate' });
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await env.versions('test')).toEqual(['v1.0.0']);
});

test('after too many crashes a promotion whose start may have happened is indeterminate, not only quarantined', async () => {
  const { env, ports } = await createTestEnvironment();
  const id = await acceptedPromotion(env, ports, verified);
  const intent = { effect: 'start', at: 0, what: 'daily/load' };
  await redis.connect().hset(`${env.prefix}:promotion:${id}`, {
    step: JSON.stringify({ name: 'start', verify: 0, since: 0 }),
    intent: JSON.stringify(intent),
    unfinished: ports.settings.maxCrashes,
  });
  await advancePromotion(id, ports, here);
  expect(await ports.store.promotion(id)).toMatchObject({ outcome: 'indeterminate' });
  expect((await ports.store.lane('lane'))?.holds[0]?.reason).toContain(
    'whether this happened: start daily/load',
  );
  expect(await ports.deadLetters.count()).toBe(0);
});
