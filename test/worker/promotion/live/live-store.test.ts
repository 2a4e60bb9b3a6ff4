import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLiveStore, type KeptAnswer } from '../../../../worker/store/live/live-store.ts';
import { targetDigest, targetName } from '../../../../worker/store/live/live-target.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const target = { project: 'AB', environment: 'test' };
const lane = '77/AB/to-test';

/** Two workers on one Redis, with one clock. */
function createTestEnvironment() {
  const clock = manualClock();
  const keys = keysUnder(`{t-${randomUUID()}}`);
  const connection = redis.connect();
  const one = createLiveStore(connection, keys, clock);
  const two = createLiveStore(redis.connect(), keys, clock);
  return { clock, keys, connection, one, two };
}

const answer = (version: string | undefined, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  version,
  commit: undefined,
  nextMs: 60_000,
  before: undefined,
  lanes: [],
  ...more,
});

test('one worker at a time polls an environment, and again only when it is due', async () => {
  const { one, two, clock } = createTestEnvironment();
  await one.register([target]);
  expect(await two.due(10)).toEqual([targetName(target)]);
  const number = (await one.claim(target, 30_000)) ?? 0;
  expect(number).toBe(1);
  expect(await two.claim(target, 30_000)).toBeUndefined();
  expect(await two.due(10)).toEqual([]);
  await one.keep(target, number, answer('v1'));
  expect(await two.read(target)).toMatchObject({ answer: { version: 'v1', at: clock.now() } });
  await clock.advance(59_999);
  expect(await two.claim(target, 30_000)).toBeUndefined();
  await clock.advance(1);
  expect(await two.claim(target, 30_000)).toBe(2);
});

test('a worker that dies while it asks keeps the question only as long as an answer may take', async () => {
  const { one, two, clock } = createTestEnvironment();
  await one.register([target]);
  await one.claim(target, 30_000);
  await clock.advance(30_000);
  expect(await two.claim(target, 30_000)).toBe(2);
});

test('the answer to an earlier question never replaces that to a later one', async () => {
  const { one, two, clock } = createTestEnvironment();
  await one.register([target]);
  const early = (await one.claim(target, 1_000)) ?? 0;
  await clock.advance(1_000);
  const late = (await two.claim(target, 1_000)) ?? 0;
  expect(await two.keep(target, late, answer('v2'))).toBe(true);
  expect(await one.keep(target, early, answer('v1'))).toBe(false);
  await one.postpone(target, early, 1_000, 'no answer');
  expect(await one.read(target)).toMatchObject({ answer: { version: 'v2' }, failure: undefined });
});

test('an answer to what was asked before a change of the worker’s own does not count', async () => {
  const { one, two } = createTestEnvironment();
  await one.register([target]);
  await one.keep(target, (await one.claim(target, 1_000)) ?? 0, answer('v1', { nextMs: 0 }));
  const before = (await one.claim(target, 1_000)) ?? 0;
  await two.changed(target, { lane, version: 'v2' });
  expect(await one.keep(target, before, answer('v1'))).toBe(false);
  expect(await one.read(target)).toMatchObject({
    answer: { version: 'v1' },
    changedSince: true,
    brought: { lane, version: 'v2' },
  });
  // It is due at once, even where another worker had the question.
  const after = (await two.claim(target, 1_000)) ?? 0;
  await two.keep(target, after, answer('v2'));
  expect(await one.read(target)).toMatchObject({ answer: { version: 'v2' }, changedSince: false });
});

test('a platform that fails is asked less and less often, and its last answer keeps its time', async () => {
  const { one, clock } = createTestEnvironment();
  await one.register([target]);
  const answeredAt = clock.now();
  await one.keep(target, (await one.claim(target, 1_000)) ?? 0, answer('v1'));
  const waits: number[] = [];
  await clock.advance(60_000);
  const failingSince = clock.now();
  for (let i = 0; i < 5; i += 1) {
    await one.postpone(target, (await one.claim(target, 1_000)) ?? 0, 60_000, `no answer ${i}`);
    const asked = clock.now();
    while ((await one.due(1)).length === 0) await clock.advance(30_000);
    waits.push((clock.now() - asked) / 60_000);
  }
  expect(waits).toEqual([1, 2, 4, 5, 5]);
  expect(await one.read(target)).toMatchObject({
    answer: { version: 'v1', at: answeredAt },
    failure: { reason: 'no answer 4', since: failingSince },
  });
  await one.keep(target, (await one.claim(target, 1_000)) ?? 0, answer('v1'));
  expect((await one.read(target)).failure).toBeUndefined();
});

test('a wait for the rate limit is not a failure of the platform', async () => {
  const { one, clock } = createTestEnvironment();
  await one.register([target]);
  await one.postpone(target, (await one.claim(target, 1_000)) ?? 0, 2_000);
  expect(await one.read(target)).toMatchObject({ answer: undefined, failure: undefined });
  await clock.advance(2_000);
  expect(await one.due(1)).toHaveLength(1);
});

test('an environment without an enabled version is an answer, another than none', async () => {
  const { one } = createTestEnvironment();
  await one.register([target]);
  expect((await one.read(target)).answer).toBeUndefined();
  await one.keep(target, (await one.claim(target, 1_000)) ?? 0, answer(undefined));
  expect((await one.read(target)).answer).toMatchObject({ version: undefined });
});

test('a change of what is live is written into the histories of its lanes, and the first answer is none', async () => {
  const { one, keys, connection } = createTestEnvironment();
  await connection.hset(keys.lane(lane), { name: 'to-test' });
  await one.register([target]);
  const ask = async (version: string, more: Partial<KeptAnswer>) => {
    await one.keep(target, (await one.claim(target, 1)) ?? 0, answer(version, { nextMs: 0, ...more }));
  };
  const lanes = [lane, '77/AB/gone'];
  await ask('v2', { lanes });
  await ask('v2', { lanes });
  await ask('v1', { lanes, before: { version: 'v2', status: 'disabled' } });
  const entries = await connection.xrange(keys.history({ lane }), '-', '+');
  expect(entries.map(([, [, , , what, , data]]) => [what, JSON.parse(data ?? '')])).toEqual([
    ['live-changed', { live: 'v1', before: 'v2', 'the one before': 'disabled' }],
  ]);
  expect(await connection.exists(keys.history({ lane: '77/AB/gone' }))).toBe(0);
});

test('project ids are one whatever their case, environments are not, and no record stays for ever', async () => {
  const { one, keys, connection } = createTestEnvironment();
  const lower = { project: 'ab', environment: 'test' };
  await one.register([target, lower, { project: 'ab', environment: 'Test' }]);
  expect(await one.due(10)).toHaveLength(2);
  await one.claim(target, 1_000);
  expect(await one.claim(lower, 1_000)).toBeUndefined();
  expect(await connection.pttl(keys.live(targetDigest(lower)))).toBeGreaterThan(86_400_000);
});
