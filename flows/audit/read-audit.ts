import { ClientError } from '../../client/index.ts';
import type { PlatformContext } from '../context/context.ts';
import type { AuditCursor } from './audit-cursor.ts';
import { type AuditEntry, timeOf } from './audit-entry.ts';
import { auditRange } from './audit-range.ts';

/** How long the platform keeps audit entries, in milliseconds (spec §6, §8). */
export const auditWindowMs = 90 * 86_400_000;

export interface AuditRequest {
  /** Milliseconds since the epoch. A cursor takes precedence. */
  readonly from: number;
  readonly to?: number | undefined;
  readonly cursor?: AuditCursor | undefined;
  /** Keep reading until the signal aborts, with this interval in milliseconds between two reads. */
  readonly follow?: { readonly everyMs: number } | undefined;
}

/** Some entries, oldest first, and the position after them. The first portion of an empty log has no entries. */
export interface AuditPortion {
  readonly entries: readonly AuditEntry[];
  readonly cursor: AuditCursor;
}

/** Maximum delay, in milliseconds, between the time of an entry and its appearance in the log. */
const maxLatenessMs = 60_000;

/** Maximum delay after failed reads, in milliseconds. */
const maxRetryDelayMs = 60_000;

/**
 * Reads the audit log (spec §4.7) from `from` or from the cursor. Every entry is read once, even at page borders,
 * while new entries arrive, and after a restart. Entries older than 90 days are not available; a warning says so.
 * With `follow`, retries while the platform cannot be reached. Throws what the client throws.
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
      `The platform keeps audit entries for 90 days (§6). Entries before ${new Date(earliest).toISOString()} are not available.`,
    );
    at = Math.max(at, earliest);
  }
  start = Math.max(start, earliest);
  if (to !== undefined && to < start) return;

  let failures = 0;
  // A first read keeps its position even if there is no entry yet: the next read starts where this one did.
  let placed = cursor !== undefined;
  for (;;) {
    try {
      for await (const portion of auditRange({ from: start, ...(to === undefined ? {} : { to }) }, context)) {
        const entries = portion.filter(({ eventId }) => !seen.has(eventId));
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
      if (failures === 1) logger.warn(`The audit log cannot be read. Trying again. ${error.message}`);
    }
    if (follow === undefined || (to !== undefined && clock.now() > to)) return;
    // Read the period of late entries again; known entries are recognized by id.
    start = Math.max(at - maxLatenessMs, start);
    await clock.sleep(
      Math.min(follow.everyMs * 2 ** Math.min(failures, 6), Math.max(maxRetryDelayMs, follow.everyMs)),
      signal,
    );
  }
}

/** Forgets the ids that the next read cannot return again. */
function forget(seen: Map<string, number>, before: number): void {
  for (const [id, time] of seen) if (time < before) seen.delete(id);
}
