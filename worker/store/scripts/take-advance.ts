import { type BeginAnswer, readBegin } from './advance.ts';
import { moveToActiveFunction } from './bullmq-functions.ts';
import { laneScript } from './lane-script.ts';

export interface TakeArguments {
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Of the lock of the job. */
  readonly token: string;
  readonly lockMs: number;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
  /** As in `BeginArguments`. */
  readonly steps: readonly string[] | undefined;
  readonly quarantineFrom: number | undefined;
}

export interface TakenAnswer {
  /** The id and the fields of the job, as BullMQ stores them; undefined if there is none. */
  readonly job: { readonly id: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** Milliseconds for which BullMQ limits the queue. */
  readonly limitedMs: number;
  /** When the next job is due, in milliseconds since the epoch; 0 if none is known. */
  readonly dueAt: number;
  /** The advance of the job; undefined if the job is something else. */
  readonly begun: BeginAnswer | undefined;
}

/** Takes the next job of the queue of advances, and begins its advance. */
export const takeAdvance = laneScript<TakeArguments, TakenAnswer>('take-advance.lua', readTaken, {
  repeats: true,
  before: moveToActiveFunction,
});

/** Reads what `answer_taken` answers. */
export function readTaken([
  id = '',
  limitedMs,
  dueAt,
  fields = '',
  begun = '',
]: readonly string[]): TakenAnswer {
  return {
    job: id === '' ? undefined : { id, fields: JSON.parse(fields) as Record<string, string> },
    limitedMs: Number(limitedMs),
    dueAt: Number(dueAt),
    begun: begun === '' ? undefined : readBegin(JSON.parse(begun) as readonly string[]),
  };
}
