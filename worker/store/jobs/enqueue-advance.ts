import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';
import { addJob } from '../../queue/fragments.ts';

export interface EnqueueArguments {
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly promotion: string;
  /** Milliseconds since the epoch, by the clock that BullMQ uses. */
  readonly at: number;
}

/** Adds the job that advances a promotion, unless there is one. Key: one of the queue. */
export const enqueueAdvance: Script<EnqueueArguments, void> = loadScript(
  import.meta.dirname,
  'enqueue-advance.lua',
  () => undefined,
  addJob,
);
