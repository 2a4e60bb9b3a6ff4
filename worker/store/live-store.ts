import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import type { Keys } from './keys.ts';
import { changed, claim, keepAnswer, postpone } from './scripts/live.ts';
import { type LiveTarget, targetDigest, targetName } from './live-target.ts';

/** What the workers know of what is live in an environment. Times in milliseconds since the epoch. */
export interface LiveRecord {
  /** What the platform answered last, and when; undefined where it never has. */
  readonly answer:
    | { readonly version: string | undefined; readonly commit: string | undefined; readonly at: number }
    | undefined;
  /** A worker has changed the environment after that answer: it is being asked again. */
  readonly changedSince: boolean;
  /** Why it cannot be asked, and since when; undefined where the last question was answered. */
  readonly failure: { readonly why: string; readonly since: number } | undefined;
  /** The version that a lane brought there last; undefined where none has. */
  readonly brought: { readonly version: string; readonly lane: string } | undefined;
}

/** What keeps an answer. */
export interface KeptAnswer {
  readonly version: string | undefined;
  readonly commit: string | undefined;
  readonly nextMs: number;
  /** The answer before, and what became of that version; for the histories of the lanes. */
  readonly before: { readonly version: string; readonly status: string } | undefined;
  readonly lanes: readonly string[];
}

/** What is live where, as the platform answered last; in Redis, for all workers. */
export type LiveStore = ReturnType<typeof createLiveStore>;

/** Failures in a row make the waits longer, up to this. */
const maxWaitMs = 300_000;

/** Thirty days: an environment that no lane names any more leaves nothing. */
const keepMs = 30 * 86_400_000;

const maxTextLength = 300;

export function createLiveStore(redis: Redis, keys: Keys, clock: Clock) {
  const keysOf = (target: LiveTarget): string[] => [keys.live(targetDigest(target)), keys.liveTimes];

  return {
    /** Makes environments known; those that are known already keep their time. */
    async register(targets: readonly LiveTarget[]): Promise<void> {
      if (targets.length === 0) return;
      await redis.zadd(keys.liveTimes, 'NX', ...targets.flatMap((target) => [0, targetName(target)]));
    },
    /** Names of environments whose time to be asked has come, the longest due first. */
    async due(limit: number): Promise<readonly string[]> {
      return redis.zrangebyscore(keys.liveTimes, '-inf', clock.now(), 'LIMIT', 0, limit);
    },
    /** An environment that this worker cannot ask about is left to others for a while. */
    async leave(name: string, ms: number): Promise<void> {
      await redis.zadd(keys.liveTimes, 'XX', clock.now() + ms, name);
    },
    /** Takes the question about an environment, for so long; undefined where its time has not come or another has it. */
    async claim(target: LiveTarget, ms: number): Promise<number | undefined> {
      return claim(redis, keysOf(target), { name: targetName(target), now: clock.now(), forMs: ms, keepMs });
    },
    /** Keeps an answer. False where a later one is there, or the environment was changed after the question. */
    async keep(target: LiveTarget, number: number, answer: KeptAnswer): Promise<boolean> {
      const { version = '', commit = '', nextMs, before, lanes } = answer;
      const now = clock.now();
      const status = await keepAnswer(redis, keysOf(target), {
        prefix: keys.prefix,
        now,
        name: targetName(target),
        number,
        version,
        commit,
        next: now + nextMs,
        before,
        lanes,
        keepMs,
      });
      return status === 'kept';
    },
    /** Nothing was learned: asked again later. `why`: what the platform did; undefined where it was not asked. */
    async postpone(target: LiveTarget, number: number, ms: number, why?: string): Promise<void> {
      await postpone(redis, keysOf(target), {
        name: targetName(target),
        now: clock.now(),
        number,
        waitMs: Math.ceil(ms),
        maxWaitMs,
        failure: why?.slice(0, maxTextLength),
      });
    },
    /** An environment was changed, or somebody says so: it is asked at once. */
    async changed(
      target: LiveTarget,
      brought?: { readonly lane: string; readonly version: string },
    ): Promise<void> {
      await changed(redis, keysOf(target), { name: targetName(target), brought, keepMs });
    },
    async read(target: LiveTarget): Promise<LiveRecord> {
      return readRecord(await redis.hgetall(keys.live(targetDigest(target))));
    },
  };
}

function readRecord(hash: Readonly<Record<string, string>>): LiveRecord {
  const { version, commit, at, answered = '0', changed: change = '0', failure, failingSince, brought } = hash;
  return {
    answer:
      at === undefined
        ? undefined
        : { version: version || undefined, commit: commit || undefined, at: Number(at) },
    changedSince: at !== undefined && Number(change) > Number(answered),
    failure: failure === undefined ? undefined : { why: failure, since: Number(failingSince ?? 0) },
    brought: brought === undefined ? undefined : { version: brought, lane: hash['broughtBy'] ?? '' },
  };
}
