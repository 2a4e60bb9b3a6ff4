import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  holdOf,
  pushed,
  release,
} from '../../environment/worker/lanes-at-work.ts';
import { askWorker, projectId, promotionsOf } from '../../environment/worker/worker-environment.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();

const lanes = `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test }
`;

/** The platform answers the next promotions with 503, and asks to wait. */
const busy = { operation: 'artifacts.promote', status: 503, headers: { 'retry-after': '1' } } as const;

const promote = (version: string) => ({
  projectId,
  sourceEnvironmentName: 'dev',
  targetEnvironmentName: 'test',
  versionName: version,
});

test('a promotion that the platform answers with 503 and Retry-After is sent again once it is read back as absent', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes });
  await release(env, 'v1.0.0');
  env.platform.faults.set([{ ...busy, nth: 1 }]);
  await pushed(env, worker, 'v1.0.0');
  const promotion = await ended(worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'passed' });
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  expect(
    promotion.history?.map(({ what }) => what).filter((what) => /promot|busy|absent/.test(what)),
  ).toEqual(['intend-promote', 'platform-busy', 'promotion-absent', 'intend-promote', 'promoted']);
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(2);
});

test('a promotion that took effect although its answer was 503 is not sent again', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes });
  await release(env, 'v1.0.0');
  env.platform.faults.set([{ ...busy, nth: 2 }]);
  let sent = 0;
  env.wire.interfere(async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/promotions')) return undefined;
    sent += 1;
    if (sent === 1) await env.client.artifacts.promote(promote('v1.0.0'));
    return undefined;
  });
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(env.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a promotion that takes effect only after it was read back as absent passes, too', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes });
  await release(env, 'v1.0.0');
  // The second call is the test's.
  env.platform.faults.set([
    { ...busy, nth: 1 },
    { ...busy, status: 409, nth: 3 },
  ]);
  let sent = 0;
  env.wire.interfere(async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/promotions')) return undefined;
    sent += 1;
    if (sent === 2) await env.client.artifacts.promote(promote('v1.0.0'));
    return undefined;
  });
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await env.versions('test')).toEqual(['v1.0.0']);
});

test('a promotion can be cancelled while the platform is busy, and ends without an open question', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes });
  const commit = await release(env, 'v1.0.0');
  env.platform.faults.set([busy]);
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(
    /^pending: Waiting for the platform/,
  );
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  expect((await askWorker(worker.url, `promotions/${promotion?.id ?? ''}/cancel`, {})).status).toBe(202);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'cancelled' });
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  expect(await env.versions('test')).toEqual([]);
});
