import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { AuditEntry } from '../../records/audit-entry.ts';
import type { QueueName } from './job-kinds.ts';
import type { OperatorWords } from '../journal/operator-words.ts';
import { laneScript, type WordArguments } from '../scripts/lane-script.ts';

/** A job that the worker has given up. It is kept so that a person can replay it. */
export interface DeadLetter {
  readonly id: string;
  readonly queue: QueueName;
  /** Why it was given up. */
  readonly cause: string;
  /** `poison`: it kills the worker that runs it. `exhausted`: it used all its attempts. */
  readonly kind: 'poison' | 'exhausted';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The job's data, as it was. */
  readonly data: unknown;
}

/** The jobs that were given up, with the cause. Each is kept until it is replayed. */
export interface DeadLetters {
  add(letter: Omit<DeadLetter, 'at'>): Promise<void>;
  get(id: string): Promise<DeadLetter | undefined>;
  /** The newest first. */
  list(limit: number): Promise<readonly DeadLetter[]>;
  count(): Promise<number>;
  /**
   * Begins a replay, with its audit entry in the same step: removes the letter from the list and keeps it as
   * unfinished until `finishReplay`. Undefined if it does not exist or another caller was first.
   */
  beginReplay(
    id: string,
    audit: Pick<AuditEntry, 'by' | 'via' | 'lane' | 'promotion' | 'data'>,
  ): Promise<DeadLetter | undefined>;
  /** Replays that were begun and not finished. */
  unfinishedReplays(): Promise<readonly DeadLetter[]>;
  finishReplay(id: string): Promise<void>;
}

/** More than a person reads; the oldest are removed first. */
const maxLetters = 1_000;

/** `words` keeps the actions of operators in the journal. */
export function createDeadLetters(
  redis: Redis,
  prefix: string,
  clock: Clock,
  words?: Pick<OperatorWords, 'keep'>,
): DeadLetters {
  const index = `${prefix}:dead`;
  const replaying = `${prefix}:replaying`;
  const keyOf = (id: string): string => `${prefix}:dead:${id}`;
  const get = async (id: string): Promise<DeadLetter | undefined> => {
    const text = await redis.get(keyOf(id));
    // Written by this module.
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
      const input = { prefix, now: clock.now(), letter: id, by, via, lane, promotion, data };
      const run = (word?: WordArguments) => beginReplay(redis, [index], { ...input, word });
      const text = words === undefined ? await run() : await words.keep(beginReplay, input, run);
      return text === undefined ? undefined : (JSON.parse(text) as DeadLetter);
    },
    unfinishedReplays: async () =>
      Object.values(await redis.hgetall(replaying)).map((text) => JSON.parse(text) as DeadLetter),
    async finishReplay(id) {
      await redis.hdel(replaying, id);
    },
  };
}

type BeginReplayArguments = { readonly letter: string } & Pick<
  AuditEntry,
  'by' | 'via' | 'lane' | 'promotion' | 'data'
>;

/** Starts the replay of a dead letter, with its entry in the audit; undefined if another replay was first. */
const beginReplay = laneScript<BeginReplayArguments, string | undefined>(
  import.meta.dirname,
  'begin-replay.lua',
  ([text = '']) => text || undefined,
  // A push that is not replayed waits in the list again.
  { isWord: (letter, { lane }) => letter !== undefined && lane !== '' },
);
