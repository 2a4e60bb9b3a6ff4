import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { scene } from './reporter-environment.ts';

const redis = testRedis();
const statusesOnly = { as: 'token', permissions: { statuses: 'write' } } as const;

test('a sender that was frozen before its status left does not have the last word: the end is what GitHub shows', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Promoting');
  const [wakes, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = around.makeReporter({ until: wakes.promise, reached: reached.resolve })('promotion-1');
  await reached.promise;

  // Longer than a sender has a report: another takes it over, and tells the end.
  around.time.skipped += 60_000;
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  const shown = () => around.repository.statuses.at(-1)?.state;
  expect(shown()).toBe('success');
  expect(await around.store.openIds()).toEqual([]);

  wakes.resolve();
  expect(await frozen).toBe(300);
  expect(shown()).toBe('pending');
  // Whoever looks for what is open finds it, also where the frozen one dies now.
  expect(await around.store.openIds()).toEqual(['promotion-1']);
  await around.tellAll();
  expect(shown()).toBe('success');
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['success', 'pending', 'success']);
  expect(await around.store.openIds()).toEqual([]);
});

test('where what a frozen sender sent changed nothing, nothing is said twice', async () => {
  const around = await scene(redis, statusesOnly);
  await around.accept();
  const key = await around.begin();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  const [wakes, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = around.makeReporter({ until: wakes.promise, reached: reached.resolve })('promotion-1');
  await reached.promise;
  around.time.skipped += 60_000;
  await around.tellAll();
  around.github.interfere(({ method }) => (method === 'POST' ? { status: 502, body: {} } : undefined));
  wakes.resolve();
  await frozen;
  around.github.interfere(undefined);
  await around.tellAll();
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});

test('a sender that slept for the allowance until another may have the report writes nothing; the next one does', async () => {
  const sleeps = [25_000, 0];
  const around = await scene(redis, { ...statusesOnly, sleeps: () => sleeps.shift() ?? 0 });
  await around.accept();
  const key = await around.begin();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  expect(await around.report('promotion-1')).toBeGreaterThan(0);
  expect(around.repository.statuses).toEqual([]);
  await around.tellAll();
  expect(around.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});
