import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import { type LiveTarget, targetDigest } from './live-target.ts';
import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

/** The result of asking for a read of the live version. `after`: the number of the last read that is too old. */
export type BegunLiveRead = { readonly after: number } & (
  | { readonly status: 'answered'; readonly version: string | undefined }
  | { readonly status: 'waits' }
  | { readonly status: 'read'; readonly number: number }
);

/**
 * Reads of the live version that promotions need before they end. Promotions whose verification ended before a read
 * began share its answer, on whichever worker they are.
 */
export interface LiveReads {
  /**
   * The answer of a read that was begun after the one with the number `after`, by default the last one; `waits` while another
   * promotion reads; otherwise begins one for `by`.
   */
  begin(
    target: LiveTarget,
    request: { readonly after: number | undefined; readonly by: string },
  ): Promise<BegunLiveRead>;
  /** Stores the answer of a read. */
  answer(target: LiveTarget, number: number, version: string | undefined): Promise<void>;
  /** Lets another promotion read: this read has no answer. */
  giveUp(target: LiveTarget, number: number): Promise<void>;
}

/** A read that takes longer may belong to a worker that was killed. */
const holdMs = 5_000;

/** A number that was lost with its record makes a promotion read once more. */
const keepMs = 86_400_000;

export function createLiveReads(redis: Redis, keys: Pick<Keys, 'liveReads'>, clock: Clock): LiveReads {
  const keyOf = (target: LiveTarget): string => keys.liveReads(targetDigest(target));
  return {
    async begin(target, { after: requestedAfter, by }) {
      const { status, value, after } = await beginLiveRead(redis, [keyOf(target)], {
        after: requestedAfter,
        by,
        now: clock.now(),
        holdMs,
        keepMs,
      });
      if (status === 'answered') return { status, after, version: value || undefined };
      return status === 'waits' ? { status, after } : { status, after, number: Number(value) };
    },
    async answer(target, number, version) {
      await endLiveRead(redis, [keyOf(target)], { number, version: version ?? '' });
    },
    async giveUp(target, number) {
      await endLiveRead(redis, [keyOf(target)], { number, version: undefined });
    },
  };
}

interface BeginLiveReadArguments {
  /** Number of the last read that does not count; undefined for the last one that was begun. */
  readonly after: number | undefined;
  /** The promotion that reads. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly holdMs: number;
  readonly keepMs: number;
}

/** Begins a read, or finds one. Key: the reads of an environment. `value`: the version, or the number of the read. */
const beginLiveRead: Script<
  BeginLiveReadArguments,
  { readonly status: 'answered' | 'waits' | 'read'; readonly value: string; readonly after: number }
> = loadScript(import.meta.dirname, 'begin-live-read.lua', (answer) => ({
  status: statusIn('answered', 'waits', 'read')(answer),
  value: answer[1] ?? '',
  after: Number(answer[2]),
}));

interface EndLiveReadArguments {
  readonly number: number;
  /** What is live, or ''; undefined if the read has no answer. */
  readonly version: string | undefined;
}

/** Ends a read. Key: the reads of an environment. */
const endLiveRead: Script<EndLiveReadArguments, void> = loadScript(
  import.meta.dirname,
  'end-live-read.lua',
  () => undefined,
);
