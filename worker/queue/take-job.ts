import { loadScript, type Script } from '../../lib/redis/scripts/lua-script.ts';
import { takeNextJob } from './fragments.ts';
import { readTakenJob, type TakenJob } from './read-taken-job.ts';

export interface TakeJobArguments {
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Token of the lock of the job. */
  readonly token: string;
  readonly lockMs: number;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
}

/** Takes the next job of a queue. Key: one key of the queue. */
export const takeJob: Script<TakeJobArguments, TakenJob> = loadScript(
  import.meta.dirname,
  'take-job.lua',
  readTakenJob,
  takeNextJob,
);
