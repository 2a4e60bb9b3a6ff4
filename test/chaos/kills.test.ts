import { expect, test } from 'vitest';
import { seeded } from './stage/seeded.ts';
import { trials } from './trials.ts';

/** The short form of what `npm run test:chaos` does at length; `MILLRACE_CHAOS_SEED` repeats a failure. */
const seed = Number(process.env['MILLRACE_CHAOS_SEED'] ?? 20_261_121);
const { kills } = Object.groupBy(trials, ({ id }) => (['T1', 'T2', 'T3'].includes(id) ? 'kills' : 'others'));

test.each(kills ?? [])(
  '$id $title: $criterion',
  async (trial) => {
    const random = seeded(seed).fork(trial.id);
    const counts = await trial.run({ random, form: 'short', scale: 1, say: () => undefined });
    expect(Object.keys(counts).length, `seed ${seed}`).toBeGreaterThan(0);
  },
  240_000,
);
