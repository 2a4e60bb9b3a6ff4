import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports.ts';
import { defineScript, runScript } from '../../store/script.ts';

/** What is to be sent, for all workers: each notice once, until it has arrived or is given up. */
export interface Outbox {
  /** Puts a notice in, if it never was before. */
  offer(id: string): Promise<void>;
  /** Takes one that is due; nobody else gets it for `leaseMs`. */
  take(leaseMs: number): Promise<{ readonly id: string; readonly tries: number } | undefined>;
  /** Puts it back for later. */
  later(id: string, ms: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** As long as runs are remembered. */
const rememberSeconds = 90 * 86_400;

/** KEYS: sorted set of what is due when, hash of tries, mark of this notice. ARGV: now, id, seconds of the mark. */
const offer = defineScript(`
if redis.call('SET', KEYS[3], '1', 'NX', 'EX', ARGV[3]) then redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2]) end
return {'ok'}
`);

/** KEYS: as above without the mark. ARGV: now, until when it is taken. */
const take = defineScript(`
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
if not due[1] then return {''} end
redis.call('ZADD', KEYS[1], ARGV[2], due[1])
return {due[1], tostring(redis.call('HINCRBY', KEYS[2], due[1], 1))}
`);

export function createOutbox(redis: Redis, prefix: string, clock: Clock): Outbox {
  const due = `${prefix}:notify:due`;
  const tries = `${prefix}:notify:tries`;
  return {
    async offer(id) {
      await runScript(
        redis,
        offer,
        [due, tries, `${prefix}:notify:known:${id}`],
        [clock.now(), id, rememberSeconds],
      );
    },
    async take(leaseMs) {
      const now = clock.now();
      const [id = '', count] = await runScript(redis, take, [due, tries], [now, now + leaseMs]);
      return id === '' ? undefined : { id, tries: Number(count) };
    },
    async later(id, ms) {
      await redis.zadd(due, 'XX', clock.now() + ms, id);
    },
    async remove(id) {
      await redis.multi().zrem(due, id).hdel(tries, id).exec();
    },
  };
}
