import { seeded } from './stage/seeded.ts';
import { type Counts, NotTried, type Trial } from './trial.ts';

export interface TrialResult {
  readonly trial: Trial;
  readonly verdict: 'passed' | 'failed' | 'not tried';
  /** Why it failed or was not tried. */
  readonly why: string;
  readonly counts: Counts;
  readonly seconds: number;
}

/** Runs the long forms one after the other; none of them stops the others. */
export async function runTrials(
  trials: readonly Trial[],
  { seed, scale, say }: { seed: number; scale: number; say(line: string): void },
): Promise<readonly TrialResult[]> {
  const results: TrialResult[] = [];
  for (const trial of trials) {
    say(`\n${trial.id} ${trial.title}`);
    const begun = Date.now();
    const seconds = (): number => Math.round((Date.now() - begun) / 1000);
    const random = seeded(seed).fork(trial.id);
    try {
      const counts = await trial.run({ random, form: 'long', scale, say: (line) => say(`   ${line}`) });
      results.push({ trial, verdict: 'passed', why: '', counts, seconds: seconds() });
      say(`   passed in ${seconds()} s: ${JSON.stringify(counts)}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const verdict = error instanceof NotTried ? 'not tried' : 'failed';
      results.push({ trial, verdict, why, counts: {}, seconds: seconds() });
      say(`   ${verdict} after ${seconds()} s: ${why}`);
    }
  }
  return results;
}
