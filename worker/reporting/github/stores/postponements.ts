import type { Redis } from 'ioredis';
import type { Clock } from '../../../../lib/core/ports/ports.ts';
import type { Keys } from '../../../store/scripts/keys.ts';

/** What GitHub may refuse for some time: everything about a repository, or one form of its reports. */
export type Refusable = 'repository' | 'check' | 'deployment';

/** Until when nothing is tried, in milliseconds since the epoch, and how often it was refused in a row. */
interface Postponed {
  readonly until: number;
  readonly times: number;
}

/** The refusals of GitHub, and when the worker tries again. They are in Redis, for all workers. */
export interface Postponements {
  /** What is stored about a repository; `takeReport` reads it. */
  parse(stored: Readonly<Record<string, string>>): RepositoryPostponements;
  /** Tries it again later: after `refusedMs`, and twice as long after each further refusal. Returns the milliseconds. */
  postpone(repositoryId: number, what: Refusable): Promise<number>;
  /** GitHub accepts it again. */
  clear(repositoryId: number, what: Refusable): Promise<void>;
}

export interface RepositoryPostponements {
  /** Milliseconds until it is tried again, from the time at which it was read; 0: now. */
  waitFor(what: Refusable): number;
  /** Whether its last attempt was refused. */
  has(what: Refusable): boolean;
}

const maxMs = { repository: 900_000, check: 3_600_000, deployment: 3_600_000 } as const;

/** Longer than the longest postponement; a refusal from before that says nothing. */
const keepSeconds = 86_400;

export function createPostponements(
  redis: Redis,
  { prefix }: Keys,
  { clock, refusedMs }: { readonly clock: Clock; readonly refusedMs: number },
): Postponements {
  const keyOf = (repositoryId: number): string => `${prefix}:github:postponed:${repositoryId}`;

  function read(stored: Readonly<Record<string, string>>): ReadonlyMap<string, Postponed> {
    return new Map(Object.entries(stored).map(([what, text]) => [what, JSON.parse(text) as Postponed]));
  }

  return {
    parse(stored) {
      const postponed = read(stored);
      // All answers to one report use the same time: what it did not try because of a wait is still to be tried at its
      // end.
      const now = clock.now();
      return {
        waitFor: (what) => Math.max(0, (postponed.get(what)?.until ?? 0) - now),
        has: (what) => postponed.has(what),
      };
    },
    async postpone(repositoryId, what) {
      const before = read(await redis.hgetall(keyOf(repositoryId))).get(what);
      const now = clock.now();
      // Several refusals at once count as one.
      if (before !== undefined && before.until > now) return before.until - now;
      const times = (before?.times ?? 0) + 1;
      const ms = Math.min(refusedMs * 2 ** (times - 1), maxMs[what]);
      const value = JSON.stringify({ until: now + ms, times } satisfies Postponed);
      await redis
        .multi()
        .hset(keyOf(repositoryId), { [what]: value })
        .expire(keyOf(repositoryId), keepSeconds)
        .exec();
      return ms;
    },
    async clear(repositoryId, what) {
      await redis.hdel(keyOf(repositoryId), what);
    },
  };
}
