import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { release, twoLanes } from '../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  deliver,
  repositoryName,
  promotionsOf,
  createWorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';
import type { WireCall } from '../../environment/worker/wire.ts';
import { startProcess } from './start-process.ts';
import { eventually } from '../../environment/worker/eventually.ts';

const redis = testRedis();
const seed = 7;
const kills = 8;

interface ShownLane {
  readonly id: string;
  readonly holds: readonly { readonly id: string }[];
  readonly active: unknown;
  readonly waiting: readonly string[];
}

/** What a request does on the platform; undefined for one that changes nothing. */
function effectOf({ method, path, body }: WireCall): string | undefined {
  if (method !== 'POST') return undefined;
  const { versionName, targetEnvironmentName, environmentName } = JSON.parse(body) as Record<string, string>;
  return `${path.endsWith('/promotions') ? 'promote' : 'promotion'} ${versionName} ${targetEnvironmentName ?? environmentName}`;
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}

test('under random kills nothing is sent twice, no promotion is lost, and each end is reported once', async () => {
  const env = await createWorkerEnvironment({
    lanes: twoLanes.replaceAll('on-failure: rollback', 'on-failure: hold\n    policy: every'),
    seed: { executions: [{ pipeline: 'daily/load', component: 'Load', after: 150 }] },
  });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const settings = {
    pollScale: 0.05,
    reconcileMs: 500,
    lockMs: 1_000,
    stalledMs: 300,
    // A sender that was killed keeps its report so long.
    reportLeaseMs: 3_000,
    prefix: env.prefix,
  };
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;

  let versions = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, url } = await startProcess(redis, env, settings);
    for (let pushes = Math.floor(random() * 3); pushes > 0; pushes -= 1) {
      versions += 1;
      await release(env, `v1.${versions}.0`);
      expect(await deliver(url, await env.push(`refs/tags/v1.${versions}.0`))).toMatchObject({
        status: 202,
      });
    }
    await systemClock.sleep(random() * 900);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const options = env.options(redis);
  const last = await startWorker({ ...options, settings: { ...options.settings, ...settings } });
  onTestFinished(() => last.close());
  // The operator resumes lanes held by an unknown outcome, and replays jobs that were killed too often.
  const allFinished = async (): Promise<boolean> => {
    const { lanes } = (await askWorker<{ lanes: readonly ShownLane[] }>(last.url, 'lanes')).body;
    for (const { id, holds } of lanes) {
      const seen = { holds: holds.map((hold) => hold.id) };
      if (holds.length > 0) await askWorker(last.url, `lanes/${encodeURIComponent(id)}/resume`, seen);
    }
    const { deadLetters } = (
      await askWorker<{ deadLetters: readonly { readonly id: string }[] }>(last.url, 'dead-letters')
    ).body;
    for (const { id } of deadLetters)
      await askWorker(last.url, `dead-letters/${encodeURIComponent(id)}/replay`, {});
    const promotions = await promotionsOf(last.url, 'to-test');
    return (
      promotions.length === versions &&
      lanes.every(({ active, waiting }) => active === null && waiting.length === 0)
    );
  };
  await eventually(allFinished).toBe(true);
  const open = async () => redis.connect().scard(`${env.prefix}:open`);
  await eventually(open).toBe(0);

  const effects = env.wire.calls.map(effectOf).filter((effect) => effect !== undefined);
  expect(versions).toBeGreaterThan(4);
  // On a slow machine some tags come later than newer ones, and are superseded without an effect.
  expect(effects.length).toBeGreaterThan(3);
  expect(repeated(effects)).toEqual([]);
  const { statuses } = env.github.repository(repositoryName);
  const ends = statuses
    .filter(({ state: word }) => word !== 'pending')
    .map(({ sha, context }) => `${sha} ${context}`);
  expect(ends.length).toBeGreaterThanOrEqual(versions);
  expect(repeated(ends)).toEqual([]);
}, 180_000);
