import type { Warehouse } from '../../../engine/index.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { type DescribedTable, type Source, SourceFailure, type SourceTable } from '../source/source.ts';
import { quoteTable } from '../source/quote.ts';
import { createWriters, tableKey, type Writers } from '../target/create-writers.ts';
import type { PositionStore, StoredPosition } from './position-store.ts';
import type { CaptureProgress } from './progress.ts';

/** An opened source and target, and what a capture stores about them. */
export interface OpenCapture {
  readonly source: Source;
  readonly warehouse: Warehouse;
  readonly store: PositionStore;
  readonly signal: AbortSignal;
  readonly target: Parameters<typeof createWriters>[1];
  /** The name of the slot and of the publication. */
  readonly name: string;
  readonly tables: readonly SourceTable[];
  readonly batchRows: number;
  readonly progress: CaptureProgress;
  readonly clock: Clock;
}

/** How far a capture is. */
export interface CaptureState {
  readonly writers: Writers;
  /** Undefined: nothing of the source is in the target yet. */
  readonly stored: StoredPosition | undefined;
}

/**
 * Copies all tables to the target, or only those that need a new snapshot, and stores in the same transaction where
 * the stream continues. Until then, the tables of the target have their old rows. Throws SourceFailure,
 * TargetFailure and SqlError.
 */
export async function takeSnapshot(
  { source, warehouse, store, signal, target, name, tables, batchRows, progress, clock }: OpenCapture,
  stored: StoredPosition | undefined,
): Promise<{ readonly writers: Writers; readonly stored: StoredPosition }> {
  const isWhole = stored === undefined;
  if (isWhole) {
    refuseUnidentified(await source.describe(tables));
    await source.dropSlot(name);
    await source.publish(name, tables);
  }
  const copied = tables.filter((table) => isWhole || stored.waiting.has(tableKey(table)));
  await using slot = await source.createSlot(isWhole ? name : `${name}_table`, {
    isTemporary: !isWhole,
    tables: copied,
    signal,
  });
  // Described again: from now on, and until they are copied, their columns cannot change.
  const writers = createWriters(await source.describe(tables), target);
  const keys = copied.map(tableKey);
  const copies = keys.flatMap((key) => writers.get(key) ?? []);
  for (const { key, described, writer } of copies) {
    await warehouse.transaction(() => writer.beginSnapshot(described));
    const columns = described.columns.map((column) => column.name);
    for await (const rows of slot.copy(described, columns, batchRows)) {
      signal.throwIfAborted();
      await warehouse.transaction(() => writer.addSnapshot(rows, slot.position));
      progress.count(key, rows.length, clock.now());
    }
  }
  const next: StoredPosition = isWhole
    ? { position: slot.position, snapshots: new Map(), waiting: new Set() }
    : {
        position: stored.position,
        snapshots: new Map([...stored.snapshots, ...keys.map((key) => [key, slot.position] as const)]),
        waiting: new Set(),
      };
  await warehouse.transaction(async () => {
    for (const { writer } of copies)
      await writer.endSnapshot({ position: slot.position, order: 0, committedAt: 0n });
    await store.save(next);
  });
  return { writers, stored: next };
}

/**
 * Refuses a table whose rows have no identity. Once it is published, PostgreSQL would refuse UPDATE and DELETE of its rows to every
 * application.
 */
function refuseUnidentified(tables: readonly DescribedTable[]): void {
  const table = tables.find(
    ({ identity, columns }) =>
      identity === 'nothing' || (identity !== 'full' && columns.every(({ isKey }) => !isKey)),
  );
  if (table === undefined) return;
  throw new SourceFailure(
    `The table ${tableKey(table)} has no ${table.identity === 'nothing' ? 'replica identity' : 'primary key'}: once it is captured, PostgreSQL would refuse UPDATE and DELETE of its rows.`,
    {
      hint:
        table.identity === 'nothing'
          ? `Run \`ALTER TABLE ${quoteTable(table)} REPLICA IDENTITY FULL\`, or REPLICA IDENTITY DEFAULT if the table has a primary key.`
          : `Give it a primary key, or run \`ALTER TABLE ${quoteTable(table)} REPLICA IDENTITY FULL\`.`,
    },
  );
}
