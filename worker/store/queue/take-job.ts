import { loadScript, type Script } from '../scripts/lua-script.ts';
import { moveToActiveFunction } from './bullmq-functions.ts';

export interface TakeJobArguments {
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Of the lock of the job. */
  readonly token: string;
  readonly lockMs: number;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
}

export interface TakenJob {
  /** The id and the fields of the job, as BullMQ stores them; undefined if there is none. */
  readonly job: { readonly id: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** Milliseconds for which BullMQ limits the queue. */
  readonly limitedMs: number;
  /** When the next job is due, in milliseconds since the epoch; 0 if none is known. */
  readonly dueAt: number;
  /** Whether no other job waited when this one was taken. */
  readonly isLast: boolean;
}

/** Takes the next job of a queue. Keys: the keys of the queue, as in `activeKeyNames`. */
export const takeJob: Script<TakeJobArguments, TakenJob> = loadScript(
  import.meta.dirname,
  'take-job.lua',
  readTakenJob,
  moveToActiveFunction,
);

/** Reads the job in an answer. */
export function readTakenJob([id = '', limitedMs, dueAt, isLast, fields = '']: readonly string[]): TakenJob {
  return {
    job: id === '' ? undefined : { id, fields: JSON.parse(fields) as Record<string, string> },
    limitedMs: Number(limitedMs),
    dueAt: Number(dueAt),
    isLast: isLast === '1',
  };
}
