import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createEnvironmentOrder } from '../../../../worker/reporting/github/stores/environment-order.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

type Environment = Awaited<ReturnType<typeof createReporterEnvironment>>;

/** GitHub refuses writes whose body contains the pattern. */
const refuse = ({ github }: Environment, pattern: RegExp): void =>
  github.interfere(({ method, body }) =>
    method !== 'GET' && pattern.test(JSON.stringify(body ?? '')) ? { status: 502, body: {} } : undefined,
  );

/** The promotions that the next report about the environment of a promotion looks at. */
async function checkedPromotions(
  { prefix, store, now }: Environment,
  id: string,
): Promise<readonly string[]> {
  const promotion = await store.promotion(id);
  if (promotion === undefined) throw new Error('no such promotion');
  const order = createEnvironmentOrder(redis.connect(), keysUnder(prefix), { ...systemClock, now });
  const taken = await order.take(promotion, { until: now() + 60_000, all: false });
  if (taken === undefined) throw new Error('another sender has the environment');
  await order.give(promotion, taken, undefined);
  return taken.places.map((place) => place.promotion);
}

test('a report whose write must wait leaves the promotions before it that need nothing more to no later report', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2', 'v3']) await env.promote(version);
  await env.accept('v4', { version: 'v4' });
  const key = await env.beginAdvance('v4');
  await env.intend(key, 'v4');
  await env.say(key, 'Promoting v4');
  refuse(env, /in_progress/i);
  // What it sends itself is looked at once more.
  for (let reports = 0; reports < 2; reports += 1) expect(await env.report('v3')).toBeGreaterThan(0);
  expect(env.shownDeployments()).toEqual(['v3 success', 'v4 no status']);
  expect(await checkedPromotions(env, 'v3')).toEqual(['v3', 'v4']);

  env.github.interfere(undefined);
  await env.sendAll('v3');
  await env.finish(key, 'passed', 'v4 is live in test');
  await env.sendAll('v4');
  expect(env.shownDeployments()).toEqual(['v3 inactive', 'v4 success']);
});

test('a promotion whose deployment is still to be closed is looked at until it is', async () => {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1', { to: 'production' });
  await env.sendAll('v1');
  refuse(env, /"state":"inactive"/i);
  for (const version of ['v2', 'v3']) {
    await env.promote(version, { to: 'production' });
    for (let reports = 0; reports < 2; reports += 1) await env.report(version);
  }
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 success', 'v3 success']);
  expect(await checkedPromotions(env, 'v3')).toEqual(['v1', 'v2', 'v3']);

  env.github.interfere(undefined);
  await env.sendAll('v3');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 inactive', 'v3 success']);
});

test('a deployment that was never active is closed with the request that shows the live one', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept('v1', { version: 'v1' });
  const key = await env.beginAdvance('v1');
  await env.intend(key, 'v1');
  await env.say(key, 'Promoting v1');
  await env.sendAll('v1');
  await env.finish(key, 'passed', 'v1 is live in test');
  await env.promote('v2');
  expect(env.shownDeployments()).toEqual(['v1 in_progress']);
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
  const bodies = env.github.requests.map(({ body }) => JSON.stringify(body ?? ''));
  const closing = bodies.filter((body) => /"state":"inactive"/i.test(body));
  expect(closing).toHaveLength(1);
  expect(closing[0]).toMatch(/"state":"success"/i);
});
