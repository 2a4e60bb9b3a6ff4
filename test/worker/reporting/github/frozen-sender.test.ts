import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();
const statusesOnly = { as: 'token', permissions: { statuses: 'write' } } as const;

test('a sender that was frozen before its status left does not have the last word: the end is what GitHub shows', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting');
  const [wakes, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = env.makeReporter({ until: wakes.promise, reached: reached.resolve })('promotion-1');
  await reached.promise;

  // Longer than a sender has a report: another takes it over, and tells the end.
  env.time.skipped += 60_000;
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  const shown = () => env.repository.statuses.at(-1)?.state;
  expect(shown()).toBe('success');
  expect(await env.store.openIds()).toEqual([]);

  wakes.resolve();
  expect(await frozen).toBe(300);
  expect(shown()).toBe('pending');
  // Anyone who looks for what is open finds it, also where the frozen one dies now.
  expect(await env.store.openIds()).toEqual(['promotion-1']);
  await env.sendAll();
  expect(shown()).toBe('success');
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['success', 'pending', 'success']);
  expect(await env.store.openIds()).toEqual([]);
});

test('if an update of a frozen sender changed nothing, nothing is sent twice', async () => {
  const env = await createReporterEnvironment(redis, statusesOnly);
  await env.accept();
  const key = await env.beginAdvance();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  const [wakes, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = env.makeReporter({ until: wakes.promise, reached: reached.resolve })('promotion-1');
  await reached.promise;
  env.time.skipped += 60_000;
  await env.sendAll();
  env.github.interfere(({ method }) => (method === 'POST' ? { status: 502, body: {} } : undefined));
  wakes.resolve();
  await frozen;
  env.github.interfere(undefined);
  await env.sendAll();
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});

test('a sender that slept for the allowance until another may have the report writes nothing; the next one does', async () => {
  const sleeps = [25_000, 0];
  const env = await createReporterEnvironment(redis, { ...statusesOnly, sleeps: () => sleeps.shift() ?? 0 });
  await env.accept();
  const key = await env.beginAdvance();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  expect(await env.report('promotion-1')).toBeGreaterThan(0);
  expect(env.repository.statuses).toEqual([]);
  await env.sendAll();
  expect(env.repository.statuses.map(({ state }) => state)).toEqual(['success']);
});
