import { compareTexts } from '../../../../lib/core/text/compare-texts.ts';
import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { runTrials, type Trial, trialLane } from './plan-trials.ts';

const redis = testRedis();

test('what changes after an approval stops the effect, or is found after it and held, in 1,000 trials', async () => {
  const trials: Trial[] = [];
  // A lane of its own for each hundred: the lists of versions stay short.
  for (let seed = 1; seed <= 10; seed += 1)
    trials.push(...(await runTrials(await trialLane(redis), { seed, count: 100 })));
  const counts = new Map<string, number>();
  for (const { kind, found } of trials) {
    const name = `${kind}: ${found}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  process.stdout.write(
    [...counts]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([name, count]) => `${name} ${count}\n`)
      .join(''),
  );
  expect(trials.filter(({ expected, found }) => !expected.split(' or ').includes(found))).toEqual([]);
  expect(trials).toHaveLength(1_000);
}, 1_800_000);
