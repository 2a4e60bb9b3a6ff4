import type { Clock } from '../../../lib/core/ports/ports.ts';
import { type SlotState, type Source, SourceFailure, type SourceTable } from '../source/source.ts';
import { tableKey } from '../target/create-writers.ts';

const newSnapshot = 'Take a new snapshot of the pipeline: its page in the inspector has a button for it.';

/** Checks that the slot exists and still has everything since the last stop. Throws SourceFailure. */
export function requireSlot(slots: readonly SlotState[], name: string): void {
  const slot = slots.find((candidate) => candidate.name === name);
  if (slot !== undefined && slot.lost === undefined) return;
  throw new SourceFailure(
    `The source server ${slot === undefined ? 'does not have' : `has lost (${String(slot.lost)})`} the replication slot ${name}, so the changes since the pipeline stopped cannot be read any more.`,
    { hint: newSnapshot },
  );
}

/**
 * Throws SourceFailure for a table that is no longer published. PostgreSQL does not report this in the stream, and
 * a table that was dropped and created again is not published.
 */
export async function requirePublished(
  source: Source,
  publication: string,
  tables: readonly SourceTable[],
): Promise<void> {
  const published = new Set((await source.published(publication)).map(tableKey));
  const missing = tables.filter((table) => !published.has(tableKey(table)));
  const [first] = missing;
  if (first === undefined) return;
  // A table that does not exist has a clearer reason.
  await source.describe(missing);
  throw new SourceFailure(
    `The publication ${publication} does not have the table ${tableKey(first)} any more, so its changes are not captured. It was dropped and created again, or taken out of the publication.`,
    { hint: newSnapshot },
  );
}

interface Watched {
  readonly source: Source;
  readonly publication: string;
  readonly tables: readonly SourceTable[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const CHECK_MS = 10_000;

/** Repeats this check until the signal aborts. Throws SourceFailure for a table that is no longer published. */
export async function watchTables({ source, publication, tables, clock, signal }: Watched): Promise<void> {
  for (;;) {
    await clock.sleep(CHECK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await requirePublished(source, publication, tables);
    } catch (error) {
      // The stream notices a lost connection by itself.
      if (!(error instanceof SourceFailure && error.isTransient)) throw error;
    }
  }
}
