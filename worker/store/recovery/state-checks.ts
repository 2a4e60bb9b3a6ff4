import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import { toJson } from '../scripts/lua-script.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import { endCheck } from './state-scripts.ts';
import { stateOlder } from './state-older.ts';

/** The lanes whose records are compared with the platform and GitHub, because Redis was restarted. */
export function createStateChecks(redis: Redis, keys: Keys, clock: Clock, call: CallLaneScript) {
  return {
    /** The lanes that are not compared yet, and the process of Redis that has their records, and since when. */
    async uncheckedLanes(): Promise<{
      readonly run: string;
      readonly since: number;
      readonly lanes: readonly string[];
    }> {
      const [epoch, lanes] = await Promise.all([redis.hgetall(keys.epoch), redis.smembers(keys.unchecked)]);
      return { run: epoch['run'] ?? '', since: Number(epoch['since'] ?? 0), lanes };
    },
    /** Whether nothing may take effect in a lane yet. */
    async isBeingChecked(lane: string): Promise<boolean> {
      const [isUnchecked, unheard] = await Promise.all([
        redis.sismember(keys.unchecked, lane),
        redis.scard(keys.unheard),
      ]);
      return isUnchecked === 1 || unheard > 0;
    },
    /** Ends the comparison of a lane. `found`: what its records contradict; undefined if they agree. */
    async endCheck(
      lane: string,
      run: string,
      found: string | undefined,
    ): Promise<'held' | 'agrees' | 'late'> {
      const hold = found === undefined ? undefined : toJson(stateOlder(found, clock.now()));
      return call(endCheck, { lane, run, hold });
    },
  };
}
