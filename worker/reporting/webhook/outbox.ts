import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

/** The notifications to send, shared by all workers. Each stays until it is delivered or given up. */
export interface Outbox {
  /** Adds a notification, unless it was added before. */
  offer(id: string): Promise<void>;
  /** Takes a notification that is due; no other worker gets it for `leaseMs`. */
  take(leaseMs: number): Promise<{ readonly id: string; readonly tries: number } | undefined>;
  /** Schedules a notification for later. */
  later(id: string, ms: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** As long as promotions are kept. */
const rememberSeconds = 90 * 86_400;

export function createOutbox(redis: Redis, prefix: string, clock: Clock): Outbox {
  const due = `${prefix}:notify:due`;
  const tries = `${prefix}:notify:tries`;
  return {
    async offer(id) {
      await offerNotice(redis, [due, `${prefix}:notify:known:${id}`], {
        now: clock.now(),
        id,
        rememberSeconds,
      });
    },
    async take(leaseMs) {
      const now = clock.now();
      return takeNotice(redis, [due, tries], { now, leaseUntil: now + leaseMs });
    },
    async later(id, ms) {
      await redis.zadd(due, 'XX', clock.now() + ms, id);
    },
    async remove(id) {
      await redis.multi().zrem(due, id).hdel(tries, id).exec();
    },
  };
}

interface OfferArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly id: string;
  readonly rememberSeconds: number;
}

/** Adds a notification, unless it was added before. Keys: the notifications by due time, the mark of this one. */
const offerNotice: Script<OfferArguments, void> = loadScript(
  import.meta.dirname,
  'offer-notice.lua',
  () => undefined,
);

interface TakeArguments {
  /** Both in milliseconds since the epoch. */
  readonly now: number;
  readonly leaseUntil: number;
}

interface TakenNotice {
  readonly id: string;
  /** How often it has been taken, this time included. */
  readonly tries: number;
}

/** Takes a notification that is due; undefined if none is. Keys: the notifications by due time, their attempts. */
const takeNotice: Script<TakeArguments, TakenNotice | undefined> = loadScript(
  import.meta.dirname,
  'take-notice.lua',
  ([id = '', tries]) => (id === '' ? undefined : { id, tries: Number(tries) }),
);
