import type { PlatformContext } from '../context/context.ts';
import { type AuditEntry, timeOf } from './audit-entry.ts';

/** A range of time in milliseconds since the epoch, both ends included. */
export interface AuditRange {
  readonly from: number;
  /** Absent: no end; entries that arrive during the read are included. */
  readonly to?: number;
}

/** Maximum number of entries in memory; a range with more entries is split. */
const maxEntriesInMemory = 5_000;

/** The largest page (spec §8). */
const size = 100;

/** A range of at most this length, in milliseconds, is never split. */
const minRangeMs = 1_000;

/** Maximum number of reads of a range that changes during the read. */
const maxReads = 20;

/**
 * Reads all entries of a range of time, oldest first, in portions. The specification does not define the order of
 * the list (§4.7), and entries that arrive or expire during a read move other entries to other pages. So the range
 * is read again until all pages of one read have the same total. Entries of all reads are kept, once per id. An
 * entry at the border of two portions may be in both. Throws what the client throws.
 */
export async function* auditRange(
  range: AuditRange,
  context: PlatformContext,
): AsyncGenerator<readonly AuditEntry[]> {
  const { client, signal } = context;
  const first = await client.audit.list({ ...queryOf(range), size }, { signal });
  const to = range.to ?? Math.max(context.clock.now(), ...first.results.map(timeOf));
  if (first.total <= maxEntriesInMemory || to - range.from <= minRangeMs) {
    yield await readWhole(range, context);
    return;
  }
  const middle = Math.floor((range.from + to) / 2);
  yield* auditRange({ from: range.from, to: middle }, context);
  yield* auditRange({ from: middle, ...(range.to === undefined ? {} : { to }) }, context);
}

async function readWhole(
  range: AuditRange,
  { client, signal, logger }: PlatformContext,
): Promise<readonly AuditEntry[]> {
  const entries = new Map<string, AuditEntry>();
  for (let reading = 1; ; reading += 1) {
    const totals = new Set<number>();
    for await (const page of client.audit.list({ ...queryOf(range), size }, { signal }).pages()) {
      totals.add(page.total);
      for (const entry of page.results) entries.set(entry.eventId, entry);
    }
    if (totals.size <= 1) break;
    if (reading === maxReads) {
      logger.warn(
        'The audit log changes faster than it can be read; entries of this moment may be missing.',
        {
          from: new Date(range.from).toISOString(),
        },
      );
      break;
    }
  }
  return oldestFirst([...entries.values()]);
}

/** Entries of the same millisecond keep the platform's order, reversed if it lists the newest first. */
function oldestFirst(entries: readonly AuditEntry[]): AuditEntry[] {
  const [first, last] = [entries.at(0), entries.at(-1)];
  const newestFirst = first !== undefined && last !== undefined && timeOf(first) >= timeOf(last);
  return (newestFirst ? entries.toReversed() : [...entries]).toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** With an offset, as §4.7 requires; the client encodes it. */
function queryOf({ from, to }: AuditRange): { from: string; to?: string } {
  return {
    from: new Date(from).toISOString(),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}
