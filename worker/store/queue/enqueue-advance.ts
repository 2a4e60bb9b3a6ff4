import { loadScript, type Script } from '../scripts/lua-script.ts';
import { addStandardJobFunction } from './bullmq-functions.ts';

export interface EnqueueArguments {
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Id of the job. */
  readonly job: string;
  /** JSON. */
  readonly data: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
}

/** Adds the job that advances a promotion, unless there is one. Keys: the keys of the queue, as in `queueKeyNames`. */
export const enqueueAdvance: Script<EnqueueArguments, void> = loadScript(
  import.meta.dirname,
  'enqueue-advance.lua',
  () => undefined,
  addStandardJobFunction,
);
