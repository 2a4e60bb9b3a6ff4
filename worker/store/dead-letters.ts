import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import type { AuditEntry } from '../records/audit-entry.ts';
import type { QueueName } from './job-kinds.ts';
import { setOut } from './scripts/set-out.ts';

/** A job that the worker has given up, until a person has looked at it. */
export interface DeadLetter {
  readonly id: string;
  readonly queue: QueueName;
  /** Why, in words. */
  readonly cause: string;
  /** `poison`: it kills whoever takes it. `exhausted`: it was tried as often as it may be. */
  readonly kind: 'poison' | 'exhausted';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The job's data, as it was. */
  readonly data: unknown;
}

/** Jobs that were given up, with their cause; each is kept until it is replayed. */
export interface DeadLetters {
  add(letter: Omit<DeadLetter, 'at'>): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** The newest first. */
  list(limit: number): Promise<readonly DeadLetter[]>;
  count(): Promise<number>;
  /**
   * Sets one out to be replayed, with its line in the audit in the same step: it is gone from the list, and stays
   * under way until `finished`. Undefined where it is not there, or another was first.
   */
  beginReplay(
    id: string,
    audit: Pick<AuditEntry, 'by' | 'via' | 'lane' | 'promotion' | 'data'>,
  ): Promise<DeadLetter | undefined>;
  /** Those that were set out and have yet to be seen to. */
  unfinishedReplays(): Promise<readonly DeadLetter[]>;
  finishReplay(id: string): Promise<void>;
}

/** More than anybody looks at; the oldest go first. */
const maxLetters = 1_000;

export function createDeadLetters(redis: Redis, prefix: string, clock: Clock): DeadLetters {
  const index = `${prefix}:dead`;
  const replaying = `${prefix}:replaying`;
  const keyOf = (id: string): string => `${prefix}:dead:${id}`;
  const get = async (id: string): Promise<DeadLetter | undefined> => {
    const text = await redis.get(keyOf(id));
    // Written by this very module.
    return text === null ? undefined : (JSON.parse(text) as DeadLetter);
  };

  return {
    get,
    async add(letter) {
      const at = clock.now();
      await redis
        .multi()
        .set(keyOf(letter.id), JSON.stringify({ ...letter, at }))
        .zadd(index, at, letter.id)
        .exec();
      const old = await redis.zrange(index, 0, String(-maxLetters - 1));
      if (old.length > 0)
        await redis
          .multi()
          .del(...old.map(keyOf))
          .zrem(index, ...old)
          .exec();
    },
    count: () => redis.zcard(index),
    async list(limit) {
      const ids = await redis.zrevrange(index, 0, limit - 1);
      return (await Promise.all(ids.map(get))).filter((letter) => letter !== undefined);
    },
    async beginReplay(id, { by, via, lane, promotion, data }) {
      const given = { prefix, now: clock.now(), letter: id, by, via, lane, promotion, data };
      const text = await setOut(redis, [index], given);
      return text === undefined ? undefined : (JSON.parse(text) as DeadLetter);
    },
    unfinishedReplays: async () =>
      Object.values(await redis.hgetall(replaying)).map((text) => JSON.parse(text) as DeadLetter),
    async finishReplay(id) {
      await redis.hdel(replaying, id);
    },
  };
}
