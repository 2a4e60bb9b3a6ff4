import type { Position } from '../source/messages.ts';

/** What one table has received since the start. */
export interface TableProgress {
  /** Rows of the snapshot, and changes. */
  readonly rows: number;
}

/** One second of the recent past. */
interface Second {
  readonly at: number;
  rows: number;
}

const SECONDS_KEPT = 120;

/** What a capture has done since its start. */
export class CaptureProgress {
  readonly #tables = new Map<string, number>();
  readonly #seconds: Second[] = [];
  readonly #startedAt: number;
  /** Transactions of the source that are in the target. */
  transactions = 0;
  /** Everything before it is in the target. */
  position: Position = 0n;
  /** The end of the source's log. */
  sourceEnd: Position = 0n;
  /** When the last transaction in the target was committed in the source, in microseconds since the Unix epoch. */
  committedAt = 0n;
  /** Transactions that have arrived, and are not in the target. */
  waiting = 0;

  /** When it streamed last, in milliseconds since the epoch; undefined: not since the platform started, or it does now. */
  streamedAt: number | undefined;

  constructor(startedAt: number, streamedAt: number | undefined) {
    this.#startedAt = startedAt;
    this.streamedAt = streamedAt;
  }

  /** @param now milliseconds since the epoch */
  count(table: string, rows: number, now: number): void {
    this.#tables.set(table, (this.#tables.get(table) ?? 0) + rows);
    const at = Math.floor(now / 1000);
    const last = this.#seconds.at(-1);
    if (last?.at === at) last.rows += rows;
    else this.#seconds.push({ at, rows });
    if (this.#seconds.length > SECONDS_KEPT) this.#seconds.shift();
  }

  get tables(): ReadonlyMap<string, number> {
    return this.#tables;
  }

  /** Rows for each of the last seconds, the newest last. */
  throughput(now: number): readonly number[] {
    const end = Math.floor(now / 1000);
    const rows = new Map(this.#seconds.map((second) => [second.at, second.rows]));
    return Array.from({ length: SECONDS_KEPT }, (_, index) => rows.get(end - SECONDS_KEPT + 1 + index) ?? 0);
  }

  /** Bytes of the source's log that are not in the target yet. */
  get behindBytes(): number {
    return this.sourceEnd > this.position ? Number(this.sourceEnd - this.position) : 0;
  }

  /** The time since the last transaction that is in the target, or since the start, in seconds; 0 if no change waits. */
  behindSeconds(now: number): number {
    if (this.waiting === 0) return 0;
    const since = this.committedAt === 0n ? this.#startedAt : Number(this.committedAt / 1000n);
    return Math.max(0, (now - since) / 1000);
  }
}

/**
 * The progress of a capture that has just started.
 * @param startedAt milliseconds since the epoch; so is `streamedAt`, of an earlier start
 */
export function emptyProgress(startedAt: number, streamedAt?: number): CaptureProgress {
  return new CaptureProgress(startedAt, streamedAt);
}
