import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { ended, pushed, release, slow, toTest } from '../../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment, promotionsOf } from '../../environment/worker/worker-environment.ts';

const redis = testRedis();

test('a full Redis is a few log lines, not one for each attempt, and the promotion passes afterwards', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest, seed: slow(2_000) });
  const lines: string[] = [];
  const write = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const options = env.options(redis);
  const logger = { debug: write, info: write, warn: write, error: write };
  const worker = await startWorker({ ...options, logger });
  const probe = redis.connect('probe');
  onTestFinished(async () => {
    await probe.config('SET', 'maxmemory', '0');
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const refusals = async (): Promise<number> =>
    Number(/errorstat_OOM:count=(\d+)/.exec(await probe.info('errorstats'))?.[1] ?? 0);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  // It is polled: its queue has work while Redis is full.
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.step).toBe('watch');
  const before = lines.length;
  await probe.config('SET', 'maxmemory', '1');
  await eventually(async () => (await refusals()) > 8).toBe(true);
  const during = lines.slice(before).filter((line) => line.includes('OOM'));
  expect(during.length).toBeGreaterThan(0);
  expect(during).toEqual([...new Set(during)]);
  await probe.config('SET', 'maxmemory', '0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});
