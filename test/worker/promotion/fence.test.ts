import { expect, onTestFinished, test } from 'vitest';
import { takeTurn } from '../../../worker/promotion/take-turn.ts';
import { FencedOff } from '../../../worker/promotion/turn.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { surroundings } from '../../environment/worker/surroundings.ts';
import { openWire } from '../../environment/worker/wire.ts';
import { acceptedRun, engineOn } from './engine-on.ts';

const redis = testRedis();

test('a worker that hung while another took its run over promotes nothing when it comes to', async () => {
  const around = await surroundings({ lanes: toTest });
  const slowWire = await openWire(around.platform.baseUrl);
  onTestFinished(async () => {
    await slowWire[Symbol.asyncDispose]();
    await around[Symbol.asyncDispose]();
  });
  const first = engineOn(redis, around, slowWire);
  const second = engineOn(redis, around, around.wire);
  const id = await acceptedRun(around, first);

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
  const woken = takeTurn(id, first, new AbortController().signal);
  await hanging.promise;
  // The look at the target is answered as of now: before the second worker's promotion.
  const turn = await second.store.begin((await second.store.run(id)) ?? expect.unreachable());
  expect(turn).toHaveProperty('key');
  wake.resolve();
  await expect(woken).rejects.toBeInstanceOf(FencedOff);
  expect(slowWire.count('POST', '/artifacts/promotions')).toBe(0);

  expect(await takeTurn(id, second, new AbortController().signal)).toBeUndefined();
  expect(await second.store.run(id)).toMatchObject({ state: 'finished', outcome: 'passed' });
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a turn that comes after the run is over does nothing', async () => {
  const around = await surroundings({ lanes: toTest });
  onTestFinished(() => around[Symbol.asyncDispose]());
  const engine = engineOn(redis, around, around.wire);
  const id = await acceptedRun(around, engine);
  await takeTurn(id, engine, new AbortController().signal);
  const calls = around.wire.calls.length;
  expect(await takeTurn(id, engine, new AbortController().signal)).toBeUndefined();
  expect(await takeTurn('unknown', engine, new AbortController().signal)).toBeUndefined();
  expect(around.wire.calls.length).toBe(calls);
});
