import type { Redis } from 'ioredis';
import type { Keys } from '../scripts/keys.ts';

/** Promotions checked in one step, and steps in one round: a round must not keep Redis busy. */
const batch = 100;
const maxBatches = 10;

/** More entries than a person reads of a lane; the oldest are removed first. */
const maxLaneEntries = 5_000;
/** Some 50 MB. */
const maxAuditEntries = 250_000;

/** Removes records that are older than `keep` in worker.yaml. Times in milliseconds since the epoch. */
export interface Retention {
  /** Removes finished promotions created before then; checks at most a thousand in a round. */
  forget(before: number): Promise<number>;
  /**
   * Trims older entries of histories and audit. Redis removes whole nodes of a stream, so that some older
   * entries stay.
   */
  trim(before: { readonly lanes: number; readonly audit: number }): Promise<void>;
}

export function createRetention(redis: Redis, keys: Keys): Retention {
  // Old promotions that are not finished: the next round starts after them, or 100 of them would block it for
  // ever.
  let passed = 0;

  async function drop(ids: readonly string[]): Promise<void> {
    const lanes = await Promise.all(ids.map((id) => redis.hget(keys.promotion(id), 'lane')));
    const step = redis.multi();
    for (const [i, id] of ids.entries()) {
      const lane = lanes[i];
      if (typeof lane === 'string') step.zrem(keys.promotionsOf(lane), id);
    }
    step.del(...ids.flatMap((id) => [keys.promotion(id), keys.history({ promotion: id }), keys.report(id)]));
    step.zrem(keys.promotions, ...ids);
    step.zrem(keys.unsent, ...ids);
    await step.exec();
  }

  return {
    async forget(before: number): Promise<number> {
      let forgotten = 0;
      for (let i = 0; i < maxBatches; i += 1) {
        const old = await redis.zrangebyscore(keys.promotions, '-inf', before, 'LIMIT', passed, batch);
        const open = old.length === 0 ? [] : await redis.smismember(keys.open, ...old);
        const over = old.filter((_, at) => open[at] === 0);
        if (over.length > 0) await drop(over);
        forgotten += over.length;
        passed += old.length - over.length;
        if (old.length < batch) {
          // Start from the oldest again: they may be finished by then.
          passed = 0;
          break;
        }
      }
      return forgotten;
    },
    async trim(before: { readonly lanes: number; readonly audit: number }): Promise<void> {
      const pipeline = redis.pipeline();
      for (const lane of await redis.smembers(keys.lanes)) {
        const history = keys.history({ lane });
        pipeline.xtrim(history, 'MINID', '~', Math.trunc(before.lanes));
        pipeline.xtrim(history, 'MAXLEN', '~', maxLaneEntries);
      }
      pipeline.xtrim(keys.audit, 'MINID', '~', Math.trunc(before.audit));
      pipeline.xtrim(keys.audit, 'MAXLEN', '~', maxAuditEntries);
      await pipeline.exec();
    },
  };
}
