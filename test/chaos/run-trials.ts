import type { Scale } from './scale.ts';
import { seeded } from './environment/seeded.ts';
import type { Counts, Trial } from './trial.ts';

export interface TrialResult {
  readonly trial: Trial;
  readonly verdict: 'passed' | 'failed';
  /** Why it failed. */
  readonly reason: string;
  readonly counts: Counts;
  readonly seconds: number;
}

interface Runs {
  readonly seed: number;
  readonly scale: Scale;
  /** How many trials run at the same time. Most of a trial is waiting. */
  readonly atOnce: number;
  log(line: string): void;
}

/** Runs the long forms; none of them stops the others. */
export async function runTrials(trials: readonly Trial[], runs: Runs): Promise<readonly TrialResult[]> {
  const results = new Map<string, TrialResult>();
  const waiting = trials
    .filter(({ alone = false }) => !alone)
    .toSorted((a, b) => Number(b.waits ?? false) - Number(a.waits ?? false));
  const work = async (): Promise<void> => {
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift())
      results.set(trial.id, await runTrial(trial, runs));
  };
  await Promise.all(Array.from({ length: runs.atOnce }, work));
  waiting.push(...trials.filter(({ alone }) => alone));
  await work();
  return trials.map(({ id }) => results.get(id)).filter((result) => result !== undefined);
}

async function runTrial(trial: Trial, { seed, scale, log: logAll }: Runs): Promise<TrialResult> {
  const startedAt = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedAt) / 1000);
  const log = (line: string): void =>
    logAll(`${trial.id.padEnd(4)} ${String(seconds()).padStart(4)} s  ${line}`);
  log(trial.title);
  try {
    const random = seeded(seed).fork(trial.id);
    const counts = await trial.run({ random, form: 'long', scale: scale.of(trial.id), log });
    log(`passed: ${JSON.stringify(counts)}`);
    return { trial, verdict: 'passed', reason: '', counts, seconds: seconds() };
  } catch (error) {
    const reason = reasonOf(error);
    log(`failed: ${reason}`);
    return { trial, verdict: 'failed', reason, counts: {}, seconds: seconds() };
  }
}

/** With its cause: a failed `fetch` says nothing more than that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
