import { expect, test } from 'vitest';
import { seeded } from './environment/seeded.ts';
import { trials } from './trials.ts';

const kills = ['T1', 'T2', 'T3', 'T21'];
/** What no other test tries, and what is quick. */
const inEveryRun = ['T18'];
const files = { 'every-run': inEveryRun, kills } as const;

/** `MILLRACE_CHAOS_SEED` repeats a failure. */
const seed = Number(process.env['MILLRACE_CHAOS_SEED'] ?? 20_261_121);

/** The short form of what `npm run test:chaos` does at length: each trial is in one file. */
export function testShortForms(file: keyof typeof files | 'all-others'): void {
  const elsewhere = Object.values(files).flat();
  const chosen = trials.filter(({ id }) =>
    file === 'all-others' ? !elsewhere.includes(id) : files[file].includes(id),
  );
  test.each(chosen)(
    '$id $title: $criterion',
    async (trial) => {
      const random = seeded(seed).fork(trial.id);
      const counts = await trial.run({ random, form: 'short', scale: 1, log: () => undefined });
      expect(Object.keys(counts).length, `seed ${seed}`).toBeGreaterThan(0);
    },
    240_000,
  );
}
