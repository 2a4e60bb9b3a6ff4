import { type BeginAnswer, readBegin } from './advance.ts';
import { takeNextJob } from '../../queue/fragments.ts';
import { laneScript } from '../scripts/lane-script.ts';
import { readTakenJob, type TakenJob } from '../../queue/read-taken-job.ts';
import type { TakeJobArguments } from '../../queue/take-job.ts';

export interface TakeArguments extends TakeJobArguments {
  /** As in `BeginArguments`. */
  readonly steps: readonly string[] | undefined;
  readonly quarantineFrom: number | undefined;
}

export interface TakenAnswer extends TakenJob {
  /** The advance of the job; undefined if the job is something else. */
  readonly begun: BeginAnswer | undefined;
}

/** Takes the next job of the queue of advances, and begins its advance. */
export const takeAdvance = laneScript<TakeArguments, TakenAnswer>(
  import.meta.dirname,
  'take-advance.lua',
  readTaken,
  {
    repeats: true,
    before: takeNextJob,
  },
);

/** Parses the answer of `answer_taken`. */
export function readTaken(answer: readonly string[]): TakenAnswer {
  const begun = answer[5] ?? '';
  return {
    ...readTakenJob(answer),
    begun: begun === '' ? undefined : readBegin(JSON.parse(begun) as readonly string[]),
  };
}
