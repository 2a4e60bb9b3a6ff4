import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import type { CallLaneScript } from '../scripts/lane-script.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import { rebuild } from './rebuild.ts';
import { endCheck } from './state-scripts.ts';
import { stateLost } from './state-lost.ts';
import { stateOlder } from './state-older.ts';

/**
 * The lanes whose records must be checked: records that were lost and are rebuilt, and records that are compared
 * with the platform and GitHub after a restart of Redis.
 */
export interface StateChecks {
  /** Rebuilds the record of a lane, on hold, with the version that executions use in its target. */
  rebuild(
    task: PromotionLane,
    repository: string,
    live: { readonly version: string; readonly commit: string } | undefined,
  ): Promise<void>;
  /** The lanes that are not compared yet, and the process of Redis that has their records, and since when. */
  uncheckedLanes(): Promise<{
    readonly run: string;
    readonly since: number;
    readonly lanes: readonly string[];
  }>;
  /** Whether nothing may take effect in a lane yet. */
  isBeingChecked(lane: string): Promise<boolean>;
  /** Ends the comparison of a lane. `contradiction`: what its records contradict; undefined if they agree. */
  endCheck(lane: string, run: string, contradiction: string | undefined): Promise<'held' | 'agrees' | 'late'>;
}

export function createStateChecks(redis: Redis, keys: Keys, clock: Clock, call: CallLaneScript): StateChecks {
  return {
    async rebuild({ id, name, project, from, to }, repository, live) {
      const fields = { name, repository, project, from, to };
      const hold = toJson(stateLost(clock.now()));
      await call(rebuild, { lane: id, hold, live, fields });
    },
    async uncheckedLanes(): Promise<{
      readonly run: string;
      readonly since: number;
      readonly lanes: readonly string[];
    }> {
      const [epoch, lanes] = await Promise.all([redis.hgetall(keys.epoch), redis.smembers(keys.unchecked)]);
      return { run: epoch['run'] ?? '', since: Number(epoch['since'] ?? 0), lanes };
    },
    async isBeingChecked(lane: string): Promise<boolean> {
      const [isUnchecked, unheard] = await Promise.all([
        redis.sismember(keys.unchecked, lane),
        redis.scard(keys.unheard),
      ]);
      return isUnchecked === 1 || unheard > 0;
    },
    async endCheck(
      lane: string,
      run: string,
      contradiction: string | undefined,
    ): Promise<'held' | 'agrees' | 'late'> {
      const hold = contradiction === undefined ? undefined : toJson(stateOlder(contradiction, clock.now()));
      return call(endCheck, { lane, run, hold });
    },
  };
}
