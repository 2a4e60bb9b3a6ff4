import { ClientError } from '../../client/index.ts';
import type { PlatformContext } from '../context/context.ts';
import type { AuditCursor } from './audit-cursor.ts';
import { type AuditEntry, timeOf } from './audit-entry.ts';
import { auditRange } from './audit-range.ts';

/** Older entries are not available (spec §6, §8). */
export const auditWindowMs = 90 * 86_400_000;

export interface AuditRequest {
  /** Milliseconds since the epoch; the cursor's place counts where there is one. */
  readonly from: number;
  readonly to?: number | undefined;
  readonly cursor?: AuditCursor | undefined;
  /** Goes on until the signal aborts, with so many milliseconds between two looks. */
  readonly follow?: { readonly everyMs: number } | undefined;
}

/** Entries, oldest first, and the place after them; none at all in the first portion of a log where nothing has happened. */
export interface AuditPortion {
  readonly entries: readonly AuditEntry[];
  readonly cursor: AuditCursor;
}

/** Entries may show up so much later than their own time says. */
const maxLatenessMs = 60_000;

/** The longest wait after failed looks. */
const maxRetryDelayMs = 60_000;

/**
 * Reads the audit log (spec §4.7) from `from`, or from where the cursor stands: every entry once, also at the borders of pages,
 * while new ones arrive, and after a restart. What is older than 90 days is not available, and is said in a warning.
 * While it follows, a platform that cannot be reached is waited for. Throws what the client throws.
 */
export async function* readAudit(
  { from, to, cursor, follow }: AuditRequest,
  context: PlatformContext,
): AsyncGenerator<AuditPortion> {
  const { clock, logger, signal } = context;
  const seen = new Map((cursor?.seen ?? []).map((id) => [id, cursor?.at ?? 0] as const));
  let at = cursor?.at ?? from;
  let start = cursor === undefined ? from : cursor.at - maxLatenessMs;
  const earliest = clock.now() - auditWindowMs;
  if ((cursor?.at ?? from) < earliest) {
    logger.warn(
      `The platform keeps audit entries for 90 days (§6): what happened before ${new Date(earliest).toISOString()} is not available.`,
    );
    at = Math.max(at, earliest);
  }
  start = Math.max(start, earliest);
  if (to !== undefined && to < start) return;

  let failures = 0;
  // Who begins keeps his place also where nothing has happened yet: the next reading begins where this one did.
  let placed = cursor !== undefined;
  for (;;) {
    try {
      for await (const found of auditRange({ from: start, ...(to === undefined ? {} : { to }) }, context)) {
        const entries = found.filter(({ eventId }) => !seen.has(eventId));
        for (const entry of entries) {
          seen.set(entry.eventId, timeOf(entry));
          at = Math.max(at, timeOf(entry));
        }
        forget(seen, at - maxLatenessMs);
        placed ||= entries.length > 0;
        if (entries.length > 0) yield { entries, cursor: { at, seen: [...seen.keys()] } };
      }
      if (!placed) yield { entries: [], cursor: { at: start + maxLatenessMs, seen: [] } };
      placed = true;
      failures = 0;
    } catch (error) {
      if (follow === undefined || !(error instanceof ClientError) || !error.isRetryable) throw error;
      failures += 1;
      if (failures === 1) logger.warn(`The audit log cannot be read now; trying again. ${error.message}`);
    }
    if (follow === undefined || (to !== undefined && clock.now() > to)) return;
    // What may come late is asked for again, and told apart by its id.
    start = Math.max(at - maxLatenessMs, start);
    await clock.sleep(
      Math.min(follow.everyMs * 2 ** Math.min(failures, 6), Math.max(maxRetryDelayMs, follow.everyMs)),
      signal,
    );
  }
}

/** Ids are kept as long as a next look could bring them again, the borders of stretches of time included. */
function forget(seen: Map<string, number>, before: number): void {
  for (const [id, time] of seen) if (time < before) seen.delete(id);
}
