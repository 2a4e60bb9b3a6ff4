import { expect, onTestFinished, test } from 'vitest';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { testRedis } from '../../environment/redis.ts';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { acceptedPromotion, portsOn } from './ports-on.ts';

const redis = testRedis();

test('a promotion to an environment with too low a level names the level, and holds the lane', async () => {
  const projects = { warehouse: { dev: 'admin' as const, test: 'readOnly' as const } };
  const env = await createWorkerEnvironment({
    lanes: toTest,
    seed: {
      credentials: [
        { name: 'boss', role: 'superAdmin' },
        { name: 'worker', role: 'admin', projects },
      ],
    },
  });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const ports = portsOn(redis, env, env.wire);
  const id = await acceptedPromotion(env, ports, {});
  const here = new AbortController().signal;
  for (let advances = 0; advances < 40; advances += 1)
    if ((await advancePromotion(id, ports, here)) === undefined) break;
  expect(await ports.store.promotion(id)).toMatchObject({
    outcome: 'error',
    message: expect.stringContaining('the credential lacks the access level admin in “test”'),
  });
  expect((await ports.store.lane('lane'))?.holds[0]).toMatchObject({ cause: 'stuck' });
});
