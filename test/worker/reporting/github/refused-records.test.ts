import { expect, onTestFinished, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

test('where Redis refuses to record a deployment that GitHub created, the repeated report finds it', async () => {
  const admin = redis.connect();
  const refuse = async (count: 0 | 1) => void (await admin.config('SET', 'min-replicas-to-write', count));
  onTestFinished(() => refuse(0));
  const env = await createReporterEnvironment(redis);
  let refused: Promise<void> | undefined;
  env.github.interfere(({ method, path }) => {
    if (method === 'POST' && path.endsWith('/deployments')) refused ??= refuse(1);
    return undefined;
  });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  await expect(env.report('promotion-1')).rejects.toThrow('NOREPLICAS');
  await refused;
  await refuse(0);
  // The lease of the report that failed.
  env.time.skipped += 40_000;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const againMs = await env.report('promotion-1');
    if (againMs === undefined) break;
    env.time.skipped += againMs;
  }
  expect(env.repository.deployments).toHaveLength(1);
  expect(env.shownDeployments()).toHaveLength(1);
  expect(env.github.requests.filter(({ path }) => path.includes('NaN'))).toEqual([]);
});
