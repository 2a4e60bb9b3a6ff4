import type { Redis } from 'ioredis';
import type { AuditEntry, Via } from '../../records/audit-entry.ts';
import type { HistoryEvent } from '../../records/history-event.ts';
import type { Keys } from '../scripts/keys.ts';
import { readEntry } from './lane-reads.ts';
import { pairsOf } from '../../../lib/redis/scripts/lua-script.ts';

/** Entries read at once. */
const pageSize = 200;

/** A span of time in milliseconds since the epoch. Both ends are included. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

type StreamEntry = readonly [id: string, fields: Readonly<Record<string, string>>];

/** Reads all records page by page, so that the memory does not depend on their number. */
export interface ExportReads {
  /** The time of Redis, which numbers the entries of histories. */
  redisTime(): Promise<number>;
  /** Ids of all promotions, in the order in which they were accepted. */
  promotionPages(): AsyncGenerator<readonly string[]>;
  /** Whether the history of each promotion has an entry since then. */
  haveChanged(promotions: readonly string[], since: number): Promise<readonly boolean[]>;
  /** The history of a lane, oldest first, in pages. */
  laneHistory(lane: string, span: Span): AsyncGenerator<readonly HistoryEvent[]>;
  /** The history of a promotion, oldest first, in pages: what it has when the last page is read. */
  promotionHistory(promotion: string, span: Span): AsyncGenerator<readonly HistoryEvent[]>;
  /** The audit, oldest first, in pages. */
  auditPages(span: Span): AsyncGenerator<readonly AuditEntry[]>;
}

export function createExportReads(redis: Redis, keys: Keys): ExportReads {
  async function* pagesOf(key: string, { since, until }: Span): AsyncGenerator<readonly StreamEntry[]> {
    for (let start = String(since); ;) {
      const page = await redis.xrange(key, start, String(until), 'COUNT', pageSize);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page.map(([id, fields]) => [id, pairsOf(fields)] as const);
      start = `(${last[0]}`;
    }
  }

  return {
    async redisTime(): Promise<number> {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    },
    async *promotionPages(): AsyncGenerator<readonly string[]> {
      // Not by their ranks: these change while old promotions are deleted.
      let [from, passed] = ['-inf', 0];
      for (;;) {
        const limit = ['LIMIT', passed, pageSize] as const;
        const page = await redis.zrangebyscore(keys.promotions, from, '+inf', 'WITHSCORES', ...limit);
        const ids = page.filter((_, i) => i % 2 === 0);
        const scores = page.filter((_, i) => i % 2 === 1);
        const last = scores.at(-1);
        if (last === undefined) return;
        yield ids;
        const same = scores.filter((score) => score === last).length;
        passed = last === from ? passed + same : same;
        from = last;
      }
    },
    async haveChanged(promotions: readonly string[], since: number): Promise<readonly boolean[]> {
      return Promise.all(
        promotions.map(async (promotion) => {
          const [newest] = await redis.lrange(keys.history({ promotion }), -1, -1);
          return newest !== undefined && readEntry(newest).at >= since;
        }),
      );
    },
    async *laneHistory(lane: string, span: Span): AsyncGenerator<readonly HistoryEvent[]> {
      for await (const page of pagesOf(keys.history({ lane }), span))
        yield page.map(([, { at = '0', what = '', data = '' }]) => ({ at: Number(at), what, data }));
    },
    async *promotionHistory(promotion: string, { since }: Span): AsyncGenerator<readonly HistoryEvent[]> {
      for (let start = 0; ; start += pageSize) {
        const page = await redis.lrange(keys.history({ promotion }), start, start + pageSize - 1);
        if (page.length === 0) return;
        yield page.map(readEntry).filter(({ at }) => at >= since);
        if (page.length < pageSize) return;
      }
    },
    async *auditPages(span: Span): AsyncGenerator<readonly AuditEntry[]> {
      for await (const page of pagesOf(keys.audit, span)) yield page.map(auditEntryOf);
    },
  };
}

function auditEntryOf([id, fields]: StreamEntry): AuditEntry {
  const { at = '0', by = '', via = 'api', act = '', lane = '', promotion = '', data = '' } = fields;
  // Written by our own scripts only.
  return { id, at: Number(at), by, via: via as Via, act, lane, promotion, data };
}
