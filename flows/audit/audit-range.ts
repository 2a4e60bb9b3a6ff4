import type { PlatformContext } from '../context/context.ts';
import { type AuditEntry, timeOf } from './audit-entry.ts';

/** A stretch of time, both ends included; milliseconds since the epoch. */
export interface AuditRange {
  readonly from: number;
  /** Absent: up to whatever comes while it is read. */
  readonly to?: number;
}

/** So many entries are held in memory at once; more are read in shorter stretches. */
const maxEntriesInMemory = 5_000;

/** The largest page (spec §8). */
const size = 100;

/** Shorter stretches than this are read whole, whatever they hold. */
const minRangeMs = 1_000;

/** So often a stretch is read again that changes while it is read. */
const maxReads = 20;

/**
 * All entries of a stretch of time, oldest first, in portions. The order in which the platform lists them is not shown
 * (spec §4.7), and entries that come or expire while pages are read move the others from page to page. So a stretch is read
 * until one whole reading saw the same total on each page; what any reading saw is kept, once by its id.
 * An entry at a border of two portions may come in both. Throws what the client throws.
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
  const found = new Map<string, AuditEntry>();
  for (let reading = 1; ; reading += 1) {
    const totals = new Set<number>();
    for await (const page of client.audit.list({ ...queryOf(range), size }, { signal }).pages()) {
      totals.add(page.total);
      for (const entry of page.results) found.set(entry.eventId, entry);
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
  return oldestFirst([...found.values()]);
}

/** Entries of the same moment stay in the order in which they happened, as far as the platform's order tells. */
function oldestFirst(entries: readonly AuditEntry[]): AuditEntry[] {
  const [first, last] = [entries.at(0), entries.at(-1)];
  const newestFirst = first !== undefined && last !== undefined && timeOf(first) >= timeOf(last);
  return (newestFirst ? entries.toReversed() : [...entries]).toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** With an offset, as §4.7 asks; the client encodes it. */
function queryOf({ from, to }: AuditRange): { from: string; to?: string } {
  return {
    from: new Date(from).toISOString(),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}
