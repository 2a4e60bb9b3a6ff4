import { ValueError, type Warehouse } from '../../../engine/index.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { createDecoder } from '../source/decode-message.ts';
import type { Begin, Change, Commit, Message, Position, Relation } from '../source/messages.ts';
import type { Source } from '../source/source.ts';
import { TargetFailure } from '../target/target-failure.ts';
import { type TableInTarget, tableKey, type Writers } from '../target/create-writers.ts';
import type { PositionStore, StoredPosition } from './position-store.ts';
import type { CaptureProgress } from './progress.ts';
import type { Spool } from './spool.ts';

/** Thrown if a table needs a new snapshot before the stream can continue. What was committed is kept. */
export class SnapshotNeeded extends Error {
  override readonly name = 'SnapshotNeeded';
}

interface ApplyOptions {
  readonly spool: Spool;
  readonly warehouse: Warehouse;
  readonly store: PositionStore;
  readonly writers: Writers;
  readonly stored: StoredPosition;
  /** Changes that are kept in memory before they are written. */
  readonly batchRows: number;
  /** For what the stream does not tell of a new column. */
  readonly source: Source;
  readonly progress: CaptureProgress;
  readonly clock: Clock;
}

/** The transaction of the source that is being read. */
interface Reading {
  readonly begin: Begin;
  order: number;
}

/**
 * Writes the waiting transactions to the target, and yields the source position after each transaction of the
 * target: everything before it may be acknowledged. A transaction of the source is always written in one
 * transaction of the target; several small ones are written together. Throws SnapshotNeeded, SqlError,
 * TargetFailure, and the failure of the spool.
 */
export async function* applyTransactions(options: ApplyOptions): AsyncGenerator<Position> {
  const batch = new Batches(options);
  for (;;) {
    options.progress.waiting = options.spool.transactions;
    await options.spool.ready();
    options.progress.waiting = options.spool.transactions;
    yield await batch.apply();
  }
}

class Batches {
  readonly #options: ApplyOptions;
  readonly #decoder = createDecoder();
  /** The relations for whose changes the tables of the target are ready. */
  readonly #adopted = new Map<TableInTarget, Relation>();
  /** The same by relation. */
  readonly #ready = new Map<Relation, TableInTarget>();
  #stored: StoredPosition;
  /** The tables that this transaction of the target has changed. */
  #touched = new Set<TableInTarget>();
  #waiting: Set<string>;
  #counts = new Map<string, number>();

  constructor(options: ApplyOptions) {
    this.#options = options;
    this.#stored = options.stored;
    this.#waiting = new Set(options.stored.waiting);
  }

  /** Writes what waits in one transaction of the target. Returns where the stream continues. */
  async apply(): Promise<Position> {
    const { warehouse, progress, clock } = this.#options;
    this.#touched = new Set();
    this.#counts = new Map();
    const last = await warehouse.transaction(async () => {
      const { commit, transactions } = await this.#readTransactions();
      await this.#flush();
      const snapshots = new Map([...this.#stored.snapshots].filter(([, at]) => at > commit.end));
      const stored = { position: commit.end, snapshots, waiting: this.#waiting };
      await this.#options.store.save(stored);
      return { commit, stored, transactions };
    });
    this.#stored = last.stored;
    progress.transactions += last.transactions;
    progress.position = last.commit.end;
    progress.committedAt = last.commit.committedAt;
    for (const [table, rows] of this.#counts) progress.count(table, rows, clock.now());
    if (this.#waiting.size > this.#options.stored.waiting.size) throw new SnapshotNeeded();
    return last.commit.end;
  }

  /** Reads whole transactions until enough changes have come, or none waits. */
  async #readTransactions(): Promise<{ readonly commit: Commit; readonly transactions: number }> {
    const { spool, batchRows } = this.#options;
    let transactions = 0;
    let changes = 0;
    let last: Commit | undefined;
    while (last === undefined || (spool.hasTransaction && changes < batchRows)) {
      const read = await this.#readTransaction(last !== undefined);
      if (read === undefined) break;
      last = read.commit;
      changes += read.changes;
      transactions += 1;
    }
    if (last === undefined) throw new Error('a transaction was announced, but not received');
    return { commit: last, transactions };
  }

  /** Undefined: its first change needs other columns in a table that this transaction of the target has changed already. */
  async #readTransaction(
    mayLeave: boolean,
  ): Promise<{ readonly commit: Commit; readonly changes: number } | undefined> {
    const { spool } = this.#options;
    const taken: Buffer[] = [];
    let reading: Reading | undefined;
    for (;;) {
      const next = spool.next();
      const data = next instanceof Promise ? await next : next;
      const isUntouched = mayLeave && (reading?.order ?? 0) === 0;
      if (isUntouched) taken.push(data);
      const message: Message = this.#decoder.decode(data);
      switch (message.kind) {
        case 'begin':
          reading = { begin: message, order: 0 };
          break;
        case 'commit':
          return { commit: message, changes: reading?.order ?? 0 };
        case 'relation':
        case 'other':
          break;
        case 'insert':
        case 'update':
        case 'delete':
        case 'truncate':
          if (reading === undefined) throw new Error('a change was received outside of a transaction');
          if (!this.#takeNow(message, reading) && !(await this.#take(message, reading, isUntouched))) {
            spool.unread(taken);
            return undefined;
          }
          reading.order += 1;
      }
    }
  }

  /** Prepares the target for the changes of a relation. */
  async #adopt(
    table: TableInTarget,
    relation: Relation,
    mayLeave: boolean,
  ): Promise<'adopted' | 'left' | 'waiting'> {
    const adoption = table.writer.adoptionOf(relation);
    const isReshaped = adoption.kind === 'reshaped';
    const isFollowed = isReshaped && !(await this.#haveValues(relation, adoption.added));
    // DuckDB cannot alter a table after changes to its rows in the same transaction.
    const isLate = isFollowed && this.#touched.has(table);
    if (isLate && mayLeave) return 'left';
    if (adoption.kind !== 'ready' && (!isFollowed || isLate)) {
      this.#waiting = new Set([...this.#waiting, table.key]);
      return 'waiting';
    }
    await flushTable(table);
    await table.writer.adopt(relation);
    const earlier = this.#adopted.get(table);
    if (earlier !== undefined) this.#ready.delete(earlier);
    this.#adopted.set(table, relation);
    this.#ready.set(relation, table);
    return 'adopted';
  }

  /** Whether new columns have values in rows from before they were added. */
  async #haveValues({ schema, table }: Relation, added: readonly string[]): Promise<boolean> {
    if (added.length === 0) return false;
    const [now] = await this.#options.source.describe([{ schema, table }]);
    const columns = new Map(now?.columns.map((column) => [column.name, column]));
    return added.some((name) => columns.get(name)?.hasMissingValue ?? false);
  }

  /** Hands a change to its writer if nothing has to be done before or after it, as for nearly all. */
  #takeNow(change: Change, { begin, order }: Reading): boolean {
    if (change.kind === 'truncate') return false;
    const table = this.#ready.get(change.relation);
    if (table === undefined || table.writer.waiting >= this.#options.batchRows - 1) return false;
    if (this.#isLeftOut(table, begin)) return true;
    table.writer.add(change, { position: begin.position, order: order + 1, committedAt: begin.committedAt });
    this.#noteChange(table);
    return true;
  }

  #noteChange(table: TableInTarget): void {
    this.#touched.add(table);
    this.#counts.set(table.key, (this.#counts.get(table.key) ?? 0) + 1);
  }

  /** Hands a change to the writers of its tables; false: nothing was done, because a table must be altered first. */
  async #take(change: Change, { begin, order }: Reading, mayLeave: boolean): Promise<boolean> {
    const place = { position: begin.position, order: order + 1, committedAt: begin.committedAt };
    const relations = change.kind === 'truncate' ? change.relations : [change.relation];
    const tables: TableInTarget[] = [];
    for (const relation of relations) {
      const table = this.#options.writers.get(tableKey(relation));
      if (table === undefined || this.#isLeftOut(table, begin)) continue;
      const isReady = this.#adopted.get(table) === relation;
      const adopted = isReady ? 'adopted' : await this.#adopt(table, relation, mayLeave);
      if (adopted === 'left') return false;
      if (adopted === 'adopted') tables.push(table);
    }
    for (const table of tables) {
      if (change.kind === 'truncate') table.writer.truncate(place);
      else table.writer.add(change, place);
      this.#noteChange(table);
      if (table.writer.waiting >= this.#options.batchRows) await flushTable(table);
    }
    return true;
  }

  /** Whether a snapshot has the change already, or will have it. */
  #isLeftOut({ key }: TableInTarget, { position }: Begin): boolean {
    const snapshot = this.#stored.snapshots.get(key);
    return this.#waiting.has(key) || (snapshot !== undefined && position < snapshot);
  }

  async #flush(): Promise<void> {
    for (const table of this.#touched) await flushTable(table);
  }
}

/** Writes what waits. Throws TargetFailure with the table for a value that its column cannot hold. */
async function flushTable({ key, writer }: TableInTarget): Promise<void> {
  try {
    await writer.flush();
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const value = error.message.replace(/^row \d+: /, '');
    throw new TargetFailure(
      `A change of the table ${key} cannot be written: ${value}.`,
      'Correct the value in the source, and take a new snapshot of the pipeline; or capture the table as CHANGE_LOG, which takes any value.',
    );
  }
}
