import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { holdOf, release } from '../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  deliver,
  promotionsOf,
  createWorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import { startProcess } from './start-process.ts';

const redis = testRedis();

const lanes = `
  - name: poisoned
    on: { push: { tags: ["v1*"] } }
    from: dev
    to: test
  - name: innocent
    on: { push: { tags: ["v0*"] } }
    from: dev
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;

const maxCrashes = 3;

test('a promotion that kills every worker is quarantined; promotions that ran beside it finish', async () => {
  const env = await createWorkerEnvironment({
    lanes,
    seed: { executions: [{ pipeline: 'daily/load', component: 'Load', after: 6_000 }] },
  });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const settings = { pollScale: 0.05, reconcileMs: 500, lockMs: 1_000, stalledMs: 300, maxCrashes };
  await release(env, 'v0.1.0');
  await release(env, 'v1.0.0');

  let kills = 0;
  for (; kills < maxCrashes; kills += 1) {
    const { child, url } = await startProcess(redis, env, settings);
    if (kills === 0) {
      // It is watched when the deaths begin: what a death leaves between a start and its answer is another test.
      expect(await deliver(url, await env.push('refs/tags/v0.1.0'))).toMatchObject({ status: 202 });
      await eventually(async () => (await promotionsOf(url, 'innocent'))[0]?.step).toBe('watch');
    }
    // Only the promotion reads its source; the target is also read to show what is live.
    env.wire.interfere(({ path }) => {
      if (path.includes('environmentName=dev')) child.kill('SIGKILL');
      return undefined;
    });
    if (kills === 0)
      expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
    await once(child, 'exit');
  }
  let tries = 0;
  env.wire.interfere(({ path }) => {
    if (path.includes('environmentName=dev')) tries += 1;
    return undefined;
  });

  const options = env.options(redis);
  const last = await startWorker({ ...options, settings: { ...options.settings, ...settings } });
  onTestFinished(() => last.close());
  await eventually(async () => (await promotionsOf(last.url, 'poisoned'))[0]?.state).toBe('finished');
  expect((await promotionsOf(last.url, 'poisoned'))[0]).toMatchObject({ outcome: 'error' });
  expect(await holdOf(last, 'poisoned')).toContain('the worker gave the promotion up');
  // It was not tried once more.
  expect(tries).toBe(0);
  const { deadLetters } = (
    await askWorker<{ deadLetters: { kind: string; queue: string }[] }>(last.url, 'dead-letters')
  ).body;
  expect(deadLetters).toMatchObject([{ kind: 'poison', queue: 'promotion' }]);
  expect(await metric(last.url, 'millrace_poison_jobs_total{queue="promotion"}')).toBe('1');

  await eventually(async () => (await promotionsOf(last.url, 'innocent'))[0]?.outcome).toBe('passed');
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
});

async function metric(url: string, name: string): Promise<string | undefined> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer operators-only' } });
  const text = await response.text();
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);
}
