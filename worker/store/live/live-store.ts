import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { recordFormat } from '../../records/record-format.ts';
import type { Keys } from '../scripts/keys.ts';
import { newerFormatIn } from '../scripts/newer-format.ts';
import { changed, claim, keepAnswer, postpone } from './live-scripts.ts';
import { type LiveTarget, targetDigest, targetName } from './live-target.ts';

/** What is known about the live version of an environment. Times in milliseconds since the epoch. */
export interface LiveRecord {
  /** The platform's last answer, and when; undefined if there is none. */
  readonly answer:
    | { readonly version: string | undefined; readonly commit: string | undefined; readonly at: number }
    | undefined;
  /** A worker has changed the environment after that answer: it is being polled again. */
  readonly changedSince: boolean;
  /** Why it cannot be polled, and since when; undefined if the last poll succeeded. */
  readonly failure: { readonly reason: string; readonly since: number } | undefined;
  /** The version that a lane promoted there last; undefined if none has. */
  readonly brought: { readonly version: string; readonly lane: string } | undefined;
}

/** An answer of the platform to store. */
export interface KeptAnswer {
  readonly version: string | undefined;
  readonly commit: string | undefined;
  readonly nextMs: number;
  /** The previous live version and its status now; for the histories of the lanes. */
  readonly before: { readonly version: string; readonly status: string } | undefined;
  readonly lanes: readonly string[];
}

/** The live versions as the platform answered last. They are in Redis, for all workers. */
export interface LiveStore {
  /** Registers environments; known ones keep their time. */
  register(targets: readonly LiveTarget[]): Promise<void>;
  /** Names of environments that are due, the longest due first. */
  due(limit: number): Promise<readonly string[]>;
  /** Leaves an environment that this worker cannot poll to others for a while. */
  leave(name: string, ms: number): Promise<void>;
  /** Claims the poll of an environment for `ms`; undefined if it is not due or another worker has it. */
  claim(target: LiveTarget, ms: number): Promise<number | undefined>;
  /** Stores an answer. False if a later one exists, or the environment changed after the poll began. */
  keep(target: LiveTarget, number: number, answer: KeptAnswer): Promise<boolean>;
  /** Polls again later, without an answer. `reason`: the platform's error; undefined if it was not polled. */
  postpone(target: LiveTarget, number: number, ms: number, reason?: string): Promise<void>;
  /** Polls an environment at once, after a change by a worker or on request. */
  changed(target: LiveTarget, brought?: { readonly lane: string; readonly version: string }): Promise<void>;
  read(target: LiveTarget): Promise<LiveRecord>;
}

/** Limit of the delay, which grows with each failure in a row. */
const maxWaitMs = 300_000;

/** Thirty days: an environment that no lane names any more leaves nothing. */
const keepMs = 30 * 86_400_000;

const maxTextLength = 300;

export function createLiveStore(redis: Redis, keys: Keys, clock: Clock, format = recordFormat): LiveStore {
  const keysOf = (target: LiveTarget): string[] => [keys.live(targetDigest(target)), keys.liveTimes];

  return {
    async register(targets: readonly LiveTarget[]): Promise<void> {
      if (targets.length === 0) return;
      await redis.zadd(keys.liveTimes, 'NX', ...targets.flatMap((target) => [0, targetName(target)]));
    },
    async due(limit: number): Promise<readonly string[]> {
      return redis.zrangebyscore(keys.liveTimes, '-inf', clock.now(), 'LIMIT', 0, limit);
    },
    async leave(name: string, ms: number): Promise<void> {
      await redis.zadd(keys.liveTimes, 'XX', clock.now() + ms, name);
    },
    async claim(target: LiveTarget, ms: number): Promise<number | undefined> {
      return claim(redis, keysOf(target), { name: targetName(target), now: clock.now(), forMs: ms, keepMs });
    },
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
        format,
      }).catch((error: unknown) => {
        throw newerFormatIn(error) ?? error;
      });
      return status === 'kept';
    },
    async postpone(target: LiveTarget, number: number, ms: number, reason?: string): Promise<void> {
      await postpone(redis, keysOf(target), {
        name: targetName(target),
        now: clock.now(),
        number,
        waitMs: Math.ceil(ms),
        maxWaitMs,
        failure: reason?.slice(0, maxTextLength),
      });
    },
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
    failure: failure === undefined ? undefined : { reason: failure, since: Number(failingSince ?? 0) },
    brought: brought === undefined ? undefined : { version: brought, lane: hash['broughtBy'] ?? '' },
  };
}
