import type { Catalog, Column, Table, TableName, Unreadable } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import type { StatementTracer, TracedStatement } from '../lineage/statement-tracer.ts';
import type { Certainty, KnownTable } from './bound-pipeline.ts';
import { type ChangedTable, changedTables } from './changed-tables.ts';

/** What one component or statement did with tables. */
export interface Recording {
  /** Tables that were looked up and exist, by their names in DuckDB's SQL. */
  readonly found: Map<string, Table>;
  /** Tables that were looked up and do not exist, by their names in DuckDB's SQL. */
  readonly missed: Map<string, TableName>;
  readonly changed: ChangedTable[];
  /** Patterns that depend on an unknown value. All tables whose names match such a pattern are read. */
  readonly patterns: TableName[];
  /** The columns that were read from each table. The key is the table's name in DuckDB's SQL. */
  readonly columns: Map<string, Set<string>>;
  /** The sources of the rows that were written. Empty if there is no tracer. */
  readonly traced: TracedStatement[];
}

export function newRecording(): Recording {
  return { found: new Map(), missed: new Map(), changed: [], patterns: [], columns: new Map(), traced: [] };
}

export interface RecordingWarehouse extends Warehouse {
  /** Notes the uses of tables in this recording from now on. */
  record(recording: Recording): void;
  /**
   * The views of other pipelines that cannot be read, by their names in DuckDB's SQL. An empty table replaces each of
   * them.
   */
  readonly unreadable: Map<string, Unreadable>;
}

/**
 * A warehouse that records which tables are looked up and changed. A query that returns no rows returns one row of
 * NULLs instead, so that code that reads a row can be bound. With a tracer, it also records where rows come from.
 */
export function recordingWarehouse(warehouse: Warehouse, tracer?: StatementTracer): RecordingWarehouse {
  let recording = newRecording();
  const unreadable = new Map<string, Unreadable>();
  const inner = warehouse.catalog;
  const catalog: Catalog = {
    find(name) {
      const key = physicalTable(name);
      const table = marked(inner.find(name), unreadable.get(key));
      if (table !== undefined) recording.found.set(key, table);
      else if (!recording.found.has(key)) recording.missed.set(key, plainName(name));
      return table;
    },
    findIgnoringCase: (name) => inner.findIgnoringCase(name),
    findFunction: (name) => inner.findFunction?.(name),
    schemaNames: (database) => inner.schemaNames?.(database) ?? [],
    all: () => inner.all(),
    list: (database, schema) => inner.list(database, schema),
  };
  async function change<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
    // Before it runs: it may replace a table that it reads.
    const traced = await tracer?.trace(sql);
    const result = await work();
    recording.changed.push(...changedTables(sql));
    if (traced !== undefined) recording.traced.push(traced);
    return result;
  }

  return {
    catalog,
    unreadable,
    record(next) {
      recording = next;
    },
    get isInvalid() {
      return warehouse.isInvalid;
    },
    abortable: (signal, now) => warehouse.abortable(signal, now),
    refresh: () => warehouse.refresh(),
    async query(sql, options) {
      // A component that wants the number of rows asks for the result of its statement.
      const result = await change(sql, () => warehouse.query(sql, options));
      return result.rows.length > 0 ? result : { ...result, rows: [result.columns.map(() => null)] };
    },
    run: (sql) => change(sql, () => warehouse.run(sql)),
    describe: (sql) => warehouse.describe(sql),
    transaction: (work) => warehouse.transaction(work),
    createSchema: (database, schema) => warehouse.createSchema(database, schema),
    createTable: (name, columns, rows) => warehouse.createTable(name, columns, rows),
    insertRows: (table, columns, rows) => warehouse.insertRows(table, columns, rows),
    changeRows: (table, changes) => warehouse.changeRows(table, changes),
    reshapeTable: (table, columns) => warehouse.reshapeTable(table, columns),
    clear: () => warehouse.clear(),
    stop: () => warehouse.stop(),
    resume: () => warehouse.resume(),
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  };
}

function marked(table: Table | undefined, unreadable: Unreadable | undefined): Table | undefined {
  return table === undefined || unreadable === undefined ? table : { ...table, unreadable };
}

function plainName({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}

/** The columns of the table that replaces a view which cannot be read. */
const inItsPlace: readonly Column[] = [{ name: 'UNREADABLE', type: { name: 'BOOLEAN' } }];

/**
 * Creates the schemas and known tables that were looked up but do not exist, except tables whose names in DuckDB's SQL
 * are in `skipped`. Adds the tables to `tables` and `created`. Returns false if there is nothing to create.
 */
export async function createMissed(
  { missed }: Recording,
  skipped: ReadonlySet<string>,
  {
    warehouse,
    tableOf,
    tables,
    created,
  }: {
    /** The same function as in `BindingContext`. */
    readonly tableOf: (table: TableName, isMissing: boolean) => KnownTable | undefined;
    readonly warehouse: RecordingWarehouse;
    readonly tables: Map<string, Certainty>;
    readonly created: Set<string>;
  },
): Promise<boolean> {
  const { catalog } = warehouse;
  let isCreated = false;
  for (const [key, name] of missed) {
    if (catalog.schemaNames?.(name.database).includes(name.schema) !== true) {
      await warehouse.createSchema(name.database, name.schema);
      isCreated = true;
    }
    if (skipped.has(key)) continue;
    const known = tableOf(name, true);
    if (known === undefined || (known.columns.length === 0 && known.unreadable === undefined)) continue;
    if (catalog.findIgnoringCase(name) !== undefined) continue;
    const { sql } = await warehouse.createTable(name, known.unreadable ? inItsPlace : known.columns, []);
    if (known.unreadable !== undefined) warehouse.unreadable.set(sql, known.unreadable);
    tables.set(sql, known);
    created.add(sql);
    isCreated = true;
  }
  return isCreated;
}
