import { Queue, Worker } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { reconcile } from '../../../worker/promotion/admission/reconcile.ts';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
import { askWorker, promotionsOf } from '../../environment/worker/worker-environment.ts';
import { oneLane } from './gates/one-lane.ts';

const redis = testRedis();
const hour = 3_600_000;

test.each([
  ['a freeze override', 'override-freeze', 'passed'],
  ['a cancel', 'cancel', 'cancelled'],
])('%s during an advance that ends at the gate takes effect at once', async (_, act, outcome) => {
  // Neither the gate nor the reconciler looks again by itself.
  const { env, worker } = await createTestEnvironment(
    redis,
    {
      lanes: toTest.replace(
        'to: test',
        'to: test\n    gates: { freeze: [{ days: [mon, tue, wed, thu, fri, sat, sun] }] }',
      ),
    },
    { gateMs: hour, reconcileMs: hour },
  );
  const advancing = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  let isFirst = true;
  env.wire.interfere(async ({ path }) => {
    if (path.includes('environmentName=dev') && isFirst) {
      isFirst = false;
      advancing.resolve();
      await proceed.promise;
    }
    return undefined;
  });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await advancing.promise;
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  const path = `promotions/${promotion?.id ?? ''}/${act}`;
  const { status } = await askWorker(worker.url, path, {
    commit,
    version: 'v1.0.0',
    reason: 'the fix',
  });
  expect(status).toBeLessThan(300);
  proceed.resolve();
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome });
});

test('a worker killed before it sees the request leaves it to the reconciler', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const { queues } = lane.ports;
  const promotion = await lane.push('v1.0.0');
  const queue = new Queue('promotion', { connection: redis.connect(), prefix: lane.env.prefix });
  onTestFinished(() => queue.close());
  const delayed = Promise.withResolvers<void>();
  // It delays the job and does nothing more.
  const killed = new Worker(
    'promotion',
    async (job, token) => {
      await lane.advance(promotion);
      await lane.approve('ada', promotion);
      await job.moveToDelayed(Date.now() + hour, token);
      delayed.resolve();
      throw new Error('killed');
    },
    { connection: redis.connect(), prefix: lane.env.prefix },
  );
  onTestFinished(() => killed.close());
  killed.on('error', () => undefined);
  await delayed.promise;
  await killed.close();
  const state = async () =>
    (await queue.getJob(`${queues.advanceJobKeys.split(':').at(-1)}${promotion}`))?.getState();
  expect(await state()).toBe('delayed');
  await reconcile(lane.ports);
  expect(await state()).toBe('waiting');
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});
