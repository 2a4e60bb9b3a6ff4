import { expect, onTestFinished, test } from 'vitest';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { FencedOff } from '../../../worker/promotion/advance/advance.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  type WorkerEnvironmentOptions,
} from '../../environment/worker/worker-environment.ts';
import { openWire } from '../../environment/worker/wire.ts';
import { acceptedPromotion, portsOn } from './ports-on.ts';

const redis = testRedis();

/** Two workers on one environment; the calls of the first one go over a wire of its own, on which they can hang. */
async function twoWorkers(options: Pick<WorkerEnvironmentOptions, 'seed'> = {}) {
  const env = await createWorkerEnvironment({ lanes: toTest, ...options });
  const slowWire = await openWire(env.platform.baseUrl);
  onTestFinished(async () => {
    await slowWire[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });
  return { env, slowWire, first: portsOn(redis, env, slowWire), second: portsOn(redis, env, env.wire) };
}

test('a worker that hung while another took over its promotion promotes nothing after it wakes', async () => {
  const { env, slowWire, first, second } = await twoWorkers();
  const id = await acceptedPromotion(env, first);

  const hanging = Promise.withResolvers<void>();
  const wake = Promise.withResolvers<void>();
  slowWire.interfere(async ({ path }) => {
    // It has decided to look at the target, finds the version absent, and then hangs.
    if (path.includes('environmentName=test')) {
      hanging.resolve();
      await wake.promise;
    }
    return undefined;
  });
  // It does not learn that it lost its lock: the fence alone must stop it.
  const woken = advancePromotion(id, first, new AbortController().signal);
  await hanging.promise;
  // The look at the target is answered as of now: before the second worker's promotion.
  const advance = await second.store.beginAdvance((await second.store.promotion(id)) ?? expect.unreachable());
  expect(advance).toHaveProperty('key');
  wake.resolve();
  await expect(woken).rejects.toBeInstanceOf(FencedOff);
  expect(slowWire.count('POST', '/artifacts/promotions')).toBe(0);

  expect(await advancePromotion(id, second, new AbortController().signal)).toBeUndefined();
  expect(await second.store.promotion(id)).toMatchObject({ state: 'finished', outcome: 'passed' });
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a worker that hung while it looked for the version does not look at the target', async () => {
  const { env, slowWire, first, second } = await twoWorkers();
  const id = await acceptedPromotion(env, first);
  slowWire.interfere(async () => {
    expect(await second.store.beginAdvance({ id })).toHaveProperty('key');
    return undefined;
  });
  await expect(advancePromotion(id, first, new AbortController().signal)).rejects.toBeInstanceOf(FencedOff);
  expect(slowWire.calls.map(({ path }) => path)).toEqual([expect.stringContaining('environmentName=dev')]);
});

test('a worker that hung while another took over reads nothing after the answer that an execution succeeded', async () => {
  const { env, slowWire, first, second } = await twoWorkers({ seed: { settings: { componentTime: 0 } } });
  const id = await acceptedPromotion(env, first, {
    verify: [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }],
  });
  await advancePromotion(id, first, new AbortController().signal);
  expect((await first.store.promotion(id))?.step.name).toBe('watch');
  const reads = slowWire.calls.length;
  slowWire.interfere(async ({ path }) => {
    if (!path.includes('/pipeline-executions/')) return undefined;
    const advance = await second.store.beginAdvance(
      (await second.store.promotion(id)) ?? expect.unreachable(),
    );
    expect(advance).toHaveProperty('key');
    return undefined;
  });
  await expect(advancePromotion(id, first, new AbortController().signal)).rejects.toBeInstanceOf(FencedOff);
  // Only the poll that had passed the fence.
  expect(slowWire.calls.slice(reads).map(({ path }) => path)).toEqual([
    expect.stringContaining('/pipeline-executions/'),
  ]);
});

test('an advance after the end of the promotion does nothing', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const ports = portsOn(redis, env, env.wire);
  const id = await acceptedPromotion(env, ports);
  await advancePromotion(id, ports, new AbortController().signal);
  const calls = env.wire.calls.length;
  expect(await advancePromotion(id, ports, new AbortController().signal)).toBeUndefined();
  expect(await advancePromotion('unknown', ports, new AbortController().signal)).toBeUndefined();
  expect(env.wire.calls.length).toBe(calls);
});
