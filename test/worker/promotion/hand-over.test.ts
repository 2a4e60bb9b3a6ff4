import { onTestFinished, expect, test } from 'vitest';
import { follow } from '../../../worker/promotion/admission/follow.ts';
import type { WorkerPorts } from '../../../worker/app/open-ports.ts';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import type { PromotionRecord } from '../../../worker/records/promotion-record.ts';
import { testRedis } from '../../environment/redis.ts';
import { createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { promotionTask } from '../store/promotion-task.ts';
import { portsOn } from './ports-on.ts';

const redis = testRedis();

/** A lane that promotes every version, and one after it that does too. */
const toProd: PromotionLane = { ...promotionTask('', { lane: 'to-prod', policy: 'every' }).lane, to: 'prod' };
const toTest: PromotionLane = { ...promotionTask('', { policy: 'every' }).lane, next: [toProd] };

async function createPorts(): Promise<WorkerPorts> {
  const env = await createWorkerEnvironment({ lanes: '' });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return portsOn(redis, env, env.wire);
}

/** A version that has passed the first lane; its worker was killed before it admitted it to the next one. */
async function passed({ store }: WorkerPorts, version: string): Promise<PromotionRecord> {
  await store.accept({
    promotionId: version,
    task: { ...promotionTask(version), lane: toTest },
    order: 'differs',
    head: { field: `refs/tags/${version}`, value: version },
  });
  const begun = await store.beginAdvance({ id: version });
  if (!('key' in begun)) throw new Error(`${version} does not have its lane`);
  await store.finish(begun.key, {
    outcome: 'passed',
    message: 'passed',
    report: { state: 'success', text: 'passed' },
    verified: version,
    state: 'following',
  });
  const promotion = await store.promotion(version);
  if (promotion === undefined) throw new Error(`${version} has no record`);
  return promotion;
}

/** The versions that the next lane has accepted, the first first. */
async function accepted({ store }: WorkerPorts): Promise<readonly (string | undefined)[]> {
  const lane = await store.lane(toProd.id);
  const ids = [lane?.active ?? '', ...(lane?.waiting ?? [])].filter((id) => id !== '');
  return (await Promise.all(ids.map((id) => store.promotion(id)))).map((one) => one?.version);
}

test('a version whose worker was killed before the hand-over reaches the next lane before a newer one', async () => {
  const ports = await createPorts();
  const first = await passed(ports, 'v1.0.0');
  await follow(await passed(ports, 'v1.1.0'), ports);
  expect(await accepted(ports)).toEqual(['v1.0.0', 'v1.1.0']);
  expect((await ports.store.promotion('v1.0.0'))?.state).toBe('finished');
  // The reconciler finds the first one too, later.
  await follow(first, ports);
  expect(await accepted(ports)).toEqual(['v1.0.0', 'v1.1.0']);
});

test('a hand-over that two workers complete at the same time happens once, in order', async () => {
  const ports = await createPorts();
  const versions = ['v1.0.0', 'v1.1.0', 'v1.2.0'];
  const promotions = [];
  for (const version of versions) promotions.push(await passed(ports, version));
  await Promise.all([...promotions, ...promotions.toReversed()].map((one) => follow(one, ports)));
  expect(await accepted(ports)).toEqual(versions);
  expect(await ports.store.followingIds(toTest.id)).toEqual([]);
});
