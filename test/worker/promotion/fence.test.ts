import { expect, onTestFinished, test } from 'vitest';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { FencedOff } from '../../../worker/promotion/advance.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { surroundings } from '../../environment/worker/worker-environment.ts';
import { openWire } from '../../environment/worker/wire.ts';
import { acceptedPromotion, engineOn } from './engine-on.ts';

const redis = testRedis();

test('a worker that hung while another took its promotion over promotes nothing when it comes to', async () => {
  const around = await surroundings({ lanes: toTest });
  const slowWire = await openWire(around.platform.baseUrl);
  onTestFinished(async () => {
    await slowWire[Symbol.asyncDispose]();
    await around[Symbol.asyncDispose]();
  });
  const first = engineOn(redis, around, slowWire);
  const second = engineOn(redis, around, around.wire);
  const id = await acceptedPromotion(around, first);

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
  // Nobody tells it that it has lost its lock: the fence alone must do.
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
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a turn that comes after the promotion is over does nothing', async () => {
  const around = await surroundings({ lanes: toTest });
  onTestFinished(() => around[Symbol.asyncDispose]());
  const engine = engineOn(redis, around, around.wire);
  const id = await acceptedPromotion(around, engine);
  await advancePromotion(id, engine, new AbortController().signal);
  const calls = around.wire.calls.length;
  expect(await advancePromotion(id, engine, new AbortController().signal)).toBeUndefined();
  expect(await advancePromotion('unknown', engine, new AbortController().signal)).toBeUndefined();
  expect(around.wire.calls.length).toBe(calls);
});
