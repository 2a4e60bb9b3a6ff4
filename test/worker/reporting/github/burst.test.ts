import { expect, test } from 'vitest';
import { githubLimits } from '../../../../worker/rate-limit/write-budget.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();
const pushes = 25;
const ids = Array.from({ length: pushes }, (_, i) => `promotion-${i + 1}`);
const newest = `promotion-${pushes}`;

type Environment = Awaited<ReturnType<typeof createReporterEnvironment>>;

/** A burst of pushes to one lane: the first has the lane, the last waits, those in between are superseded. */
async function burst(): Promise<Environment> {
  const env = await createReporterEnvironment(redis, { limits: githubLimits, isFrozen: true });
  for (const id of ids) await env.accept(id);
  await env.say(await env.beginAdvance(), 'Promoting v1.0.0');
  return env;
}

/** Runs reports as their queue does, each when it is due, until nothing is left or GitHub shows what is wanted. */
async function run(env: Environment, due: Map<string, number>, isEnough = () => false): Promise<void> {
  for (let i = 0; i < 2_000 && due.size > 0 && !isEnough(); i += 1) {
    const [next = '', at = 0] = [...due].toSorted((a, b) => a[1] - b[1])[0] ?? [];
    env.time.skipped += Math.max(0, at - env.now());
    const wait = await env.report(next);
    if (wait === undefined) due.delete(next);
    else due.set(next, env.now() + wait);
  }
}

const shown = (env: Environment) =>
  env.repository.checkRuns.map(({ external_id: id, output }) => `${id}: ${output?.title}`);

test('after a burst of pushes GitHub first gets the newest state of the lane, and then what was superseded', async () => {
  const env = await burst();
  const began = env.now();
  // In the order of the pushes, as their jobs are.
  const due = new Map(ids.map((id) => [id, began]));
  await run(env, due, () => shown(env).some((text) => text.startsWith(newest)));
  expect(env.now() - began).toBeLessThan(10_000);
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is in test');
  const ended = env.now();
  due.set('promotion-1', ended);
  due.set(newest, ended);
  await run(env, due, () => shown(env).includes('promotion-1: v1.0.0 is in test'));
  expect(env.now() - ended).toBeLessThan(10_000);
  await run(env, due);
  expect(shown(env)).toHaveLength(pushes);
  expect(shown(env).filter((text) => text.includes('Superseded'))).toHaveLength(pushes - 2);
});

test('a report that must wait leaves this to the job of the newest state', async () => {
  const env = await createReporterEnvironment(redis, {
    limits: { ...githubLimits, perMinute: 1 },
    isFrozen: true,
  });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'one');
  expect(await env.report('promotion-1', 1)).toBeGreaterThan(10_000);
  expect(env.addedJobs).toEqual([]);
  await env.say(key, 'two');
  expect(await env.report('promotion-1', 1)).toBeUndefined();
  expect(env.addedJobs).toEqual([{ id: 'promotion-1', seq: 2 }]);
  expect(await env.report('promotion-1', 2)).toBeGreaterThan(10_000);
});
