import type { Fault } from '../../github/start-github.ts';
import { release, toTest } from '../../worker/lanes-at-work.ts';
import { startRedisServer } from '../stage/redis-server.ts';
import { runsIn, untilQuiet } from '../stage/runs-of.ts';
import { setScene } from '../stage/scene.ts';
import { until } from '../stage/until.ts';
import { mustHold, type Trial } from '../trial.ts';

interface Case {
  readonly name: string;
  /** What happens to the first so many writes. */
  readonly times: number;
  readonly answer: ReturnType<Fault> | 'lose';
  readonly short?: boolean;
}

const cases: readonly Case[] = [
  {
    name: '403 secondary limit with Retry-After',
    // Each costs the minute that GitHub asks for.
    times: 1,
    answer: {
      status: 403,
      headers: { 'retry-after': '1' },
      body: { message: 'You have exceeded a secondary rate limit' },
    },
  },
  { name: '502', times: 1, answer: { status: 502, body: { message: 'bad gateway' } }, short: true },
  { name: '500', times: 3, answer: { status: 500, body: { message: 'oops' } } },
  { name: 'the line is cut before GitHub hears it', times: 2, answer: 'drop' },
  { name: 'GitHub heard it, the answer is lost', times: 2, answer: 'lose', short: true },
];

export const githubFaults: Trial = {
  id: 'T16',
  title: 'Faults of GitHub while runs are reported: secondary limit, 5xx, lost requests, lost answers',
  criterion:
    'each end reaches GitHub once, whatever became of the writes before; the run itself is not held up',
  async run({ form, say }) {
    const chosen = cases.filter(({ short }) => form === 'long' || short);
    await using server = await startRedisServer();
    const struck = await Promise.all(
      chosen.map(async ({ name, times, answer }) => {
        await using scene = await setScene(server, { lanes: toTest });
        const worker = await scene.start();
        const commit = await release(scene.around, 'v1.0.0');
        let left = times;
        const strikes = (method: string, path: string): boolean => {
          if (left === 0 || method !== 'POST' || !path.includes('/statuses/')) return false;
          left -= 1;
          return true;
        };
        if (answer === 'lose') {
          scene.watch(({ line, label, phase }) =>
            line === 'github' && phase === 'after' && strikes('POST', label) ? 'cut' : 'pass',
          );
        } else {
          scene.around.github.interfere(({ method, path }) => (strikes(method, path) ? answer : undefined));
        }
        await scene.send(worker.url, await scene.around.push('refs/tags/v1.0.0'));
        await until(`${name}: the run ends`, async () => (await runsIn(scene))[0]?.outcome === 'passed');
        await untilQuiet(scene, 240_000);
        const ends = scene.around.github
          .repository('example/warehouse')
          .statuses.filter(({ sha, state }) => sha === commit && state !== 'pending');
        mustHold(ends.length === 1, `${name}: ${ends.length} ends`);
        mustHold(
          scene.around.status(commit, 'millrace/to-test')?.startsWith('success') === true,
          `${name}: no success`,
        );
        mustHold(left < times, `${name}: it never struck`);
        say(`${name}: one end`);
        return times - left;
      }),
    );
    return {
      faults: chosen.length,
      'writes that failed': struck.reduce((a, b) => a + b, 0),
      'ends told twice': 0,
    };
  },
};
