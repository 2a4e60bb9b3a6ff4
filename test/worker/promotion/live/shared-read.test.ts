import { expect, onTestFinished, test } from 'vitest';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLiveReads } from '../../../../worker/store/live/live-reads.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  projectId,
  repositoryId,
} from '../../../environment/worker/worker-environment.ts';
import { promotionTask } from '../../store/promotion-task.ts';
import { portsOn } from '../ports-on.ts';

const redis = testRedis();

/** Promotions of v1.0.0 by one lane each, all to one environment. */
async function lanesToOneEnvironment() {
  const env = await createWorkerEnvironment({ lanes: toTest, seed: { settings: { componentTime: 0 } } });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const ports = portsOn(redis, env, env.wire);
  const commit = await release(env, 'v1.0.0');
  const isRead = (method: string, path: string): boolean =>
    method === 'GET' && path.includes('environmentName=test');

  async function advance(id: string): Promise<PromotionRecord> {
    await advancePromotion(id, ports, new AbortController().signal);
    return (await ports.store.promotion(id)) ?? expect.unreachable();
  }
  return {
    env,
    advance,
    reads: () => env.wire.calls.filter(({ method, path }) => isRead(method, path)).length,
    /** Verifies a promotion in a lane of its own; the platform does not answer yet what is live then. */
    async verify(id: string): Promise<void> {
      const { lane, ...task } = promotionTask('v1.0.0', {
        repository: repositoryId,
        project: projectId,
        commit,
        id,
      });
      const verify = [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }];
      await ports.store.accept({
        promotionId: id,
        order: 'differs',
        head: { field: 'refs/tags/v1.0.0', value: commit },
        task: { ...task, lane: { ...lane, verify } },
      });
      await expect.poll(async () => (await advance(id)).step.name).toBe('watch');
      env.wire.interfere(({ method, path }) => (isRead(method, path) ? 'lose' : undefined));
      await expect.poll(async () => (await advance(id)).step).toMatchObject({ hasSucceeded: true });
      env.wire.interfere(undefined);
    },
  };
}

test('promotions whose verification ended before a read of the live version share it, later ones do not', async () => {
  const { env, advance, verify, reads } = await lanesToOneEnvironment();
  for (const id of ['one', 'two', 'three']) await verify(id);
  const before = reads();
  for (const id of ['one', 'two', 'three']) expect(await advance(id)).toMatchObject({ outcome: 'passed' });
  expect(reads() - before).toBe(1);

  await verify('later');
  await env.publish('v9.9.9', 'a'.repeat(40));
  await env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v9.9.9',
  });
  const message = 'v1.0.0 was verified in test but is not live: v9.9.9 is live there';
  expect(await advance('later')).toMatchObject({ outcome: 'nothing-to-do', message });
});

test('while one promotion reads what is live the others wait for it, but not for one that was killed', async () => {
  const clock = manualClock();
  const reads = createLiveReads(redis.connect(), keysUnder(`{reads-${crypto.randomUUID()}}`), clock);
  const target = { project: 'p', environment: 'test' };
  const now = undefined;
  expect(await reads.begin(target, { after: now, by: 'one' })).toEqual({
    status: 'read',
    after: 0,
    number: 1,
  });
  expect(await reads.begin(target, { after: 0, by: 'two' })).toEqual({ status: 'waits', after: 0 });
  // Its verification ended after that read was begun.
  expect(await reads.begin(target, { after: now, by: 'three' })).toEqual({
    status: 'read',
    after: 1,
    number: 2,
  });
  await clock.advance(5_001);
  expect(await reads.begin(target, { after: 0, by: 'two' })).toEqual({ status: 'read', after: 0, number: 3 });
  await reads.answer(target, 3, 'v3');
  // The answer to an earlier read is older.
  await reads.answer(target, 2, 'v2');
  for (const after of [0, 1, 2])
    expect(await reads.begin(target, { after, by: 'four' })).toEqual({
      status: 'answered',
      after,
      version: 'v3',
    });
  expect(await reads.begin(target, { after: 3, by: 'four' })).toEqual({
    status: 'read',
    after: 3,
    number: 4,
  });
});

test('a read without an answer is begun again by the next promotion, also by the one that began it', async () => {
  const reads = createLiveReads(redis.connect(), keysUnder(`{reads-${crypto.randomUUID()}}`), manualClock());
  const target = { project: 'p', environment: 'test' };
  await reads.begin(target, { after: 0, by: 'one' });
  expect(await reads.begin(target, { after: 0, by: 'one' })).toEqual({ status: 'read', after: 0, number: 2 });
  await reads.giveUp(target, 2);
  expect(await reads.begin(target, { after: 0, by: 'two' })).toEqual({ status: 'read', after: 0, number: 3 });
  await reads.answer(target, 3, undefined);
  expect(await reads.begin(target, { after: 2, by: 'one' })).toEqual({
    status: 'answered',
    after: 2,
    version: undefined,
  });
});
