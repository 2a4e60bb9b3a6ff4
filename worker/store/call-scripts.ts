import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { recordFormat } from '../records/record-format.ts';
import { createOperatorWords, type OperatorWords } from './journal/operator-words.ts';
import type { StateMemory } from './recovery/state-memory.ts';
import { type OnOlder, rememberCalls } from './recovery/state-older.ts';
import type { Keys } from './scripts/keys.ts';
import type { CallLaneScript } from './scripts/lane-script.ts';
import { type FormatOptions, newerFormatIn } from './scripts/newer-format.ts';

/** What is done around each call of a script: memory, journal and format. */
export interface CallOptions {
  /** What this process remembers, so that it notices an older state of Redis. */
  readonly older?: { readonly memory: StateMemory; readonly onOlder: OnOlder };
  /** Keeps what operators say. */
  readonly words?: OperatorWords;
  readonly format?: FormatOptions;
}

/**
 * Calls the scripts of lanes and promotions. A call throws NewerFormat if a newer worker has raised the format of
 * the records.
 */
export function createScriptCalls(
  redis: Redis,
  keys: Keys,
  clock: Clock,
  {
    older,
    words = createOperatorWords({ redis, keys, clock, journal: undefined, onFailure: () => undefined }),
    format = { known: recordFormat, onNewer: () => undefined },
  }: CallOptions = {},
): CallLaneScript {
  const plain: CallLaneScript = async (script, input) => {
    const knownFormat = script.mayMeetNewer(input) ? undefined : format.known;
    try {
      return await script(redis, [keys.lanes], {
        prefix: keys.prefix,
        now: clock.now(),
        format: knownFormat,
        ...input,
      });
    } catch (error) {
      const newer = newerFormatIn(error);
      if (newer === undefined) throw error;
      format.onNewer(newer.format);
      throw newer;
    }
  };
  return older === undefined
    ? plain
    : rememberCalls(plain, older.memory, { redis, keys, clock, onOlder: older.onOlder, words });
}
