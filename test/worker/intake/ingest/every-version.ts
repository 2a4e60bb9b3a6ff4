import { expect, onTestFinished } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { pushed, release } from '../../../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment, promotionsOf } from '../../../environment/worker/worker-environment.ts';

const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    policy: every
`;

/** Numbers from 0 to 1, the same for a seed. */
export function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** GitHub's answers about refs take a random number of turns of the event loop. */
function unevenGitHub(github: GitHubPort, random: () => number): GitHubPort {
  return {
    ...github,
    async head(name, ref) {
      for (let turns = Math.floor(random() * 300); turns > 0; turns -= 1)
        await new Promise((resolve) => void setImmediate(resolve));
      return github.head(name, ref);
    },
  };
}

/** Pushes tags in order to two workers in turn; expects that all of them are promoted, in this order. */
export async function expectEveryVersion(redis: TestRedis, count: number, seed: number): Promise<void> {
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const random = numbersOf(seed);
  const versions = Array.from({ length: count }, (_, i) => `v1.${i}.0`);
  for (const version of versions) await release(env, version);
  const workers = await Promise.all(
    [1, 2].map(async () => {
      const { github, ...options } = env.options(redis);
      const worker = await startWorker({ ...options, github: unevenGitHub(github, random) });
      onTestFinished(() => worker.close());
      return worker;
    }),
  );
  for (const version of versions) {
    const worker = workers[Math.floor(random() * workers.length)];
    if (worker !== undefined) await pushed(env, worker, version);
  }
  const ended = async () =>
    (await promotionsOf(workers[0]?.url ?? '', 'to-test'))
      .filter(({ state }) => state === 'finished')
      .map(({ version, outcome }) => `${version ?? ''} ${outcome ?? ''}`);
  await eventually(async () => (await ended()).length).toBe(count);
  expect(await ended()).toEqual(versions.toReversed().map((version) => `${version} passed`));
}
