import type { Redis } from 'ioredis';
import type { Keys } from './keys.ts';

/** Runs that are looked at in one step, and steps in one round: a round must not keep Redis busy. */
const batch = 100;
const maxBatches = 10;

/** More entries than anybody reads of a lane; the oldest go first. */
const maxLaneEntries = 5_000;
/** Some 50 MB. */
const maxAuditEntries = 250_000;

/** Forgets what is older than it must be kept. Times in milliseconds since the epoch. */
export function createRetention(redis: Redis, keys: Keys) {
  // Old promotions that are not over: their round begins behind them, or 100 of them would stop it for good.
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
    await step.exec();
  }

  return {
    /** Forgets promotions that were made before then and are over; at most a thousand are looked at in a round. */
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
          // From the oldest again: they may be over by then.
          passed = 0;
          break;
        }
      }
      return forgotten;
    },
    /** Cuts off what lanes and people did before then; whole nodes of a stream go, so that some more stays. */
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
    /** Ids of the newest promotions of some lanes, newest first. */
    async promotionIdsOf(lanes: readonly string[], limit: number): Promise<readonly string[]> {
      const pages = await Promise.all(
        lanes.map((lane) => redis.zrevrange(keys.promotionsOf(lane), 0, limit - 1, 'WITHSCORES')),
      );
      return pages
        .flatMap((page) => page.flatMap((id, i) => (i % 2 === 0 ? [{ id, at: Number(page[i + 1]) }] : [])))
        .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ id }) => id);
    },
  };
}
