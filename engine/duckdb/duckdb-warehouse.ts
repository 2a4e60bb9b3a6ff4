import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Catalog, Column, Table, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { WarehouseClock } from './clock.ts';
import { warehouseType } from './column-types.ts';
import { addRows, fillTable } from './fill-table.ts';
import type { Duckdb } from './load-duckdb.ts';
import { physicalSchema, physicalTable, quoteName, quoteText } from './physical-name.ts';
import { readValue } from './read-value.ts';
import type { Session } from './session.ts';
import { StoredCatalog } from './stored-catalog.ts';
import type { Rows, Value, Warehouse } from './warehouse.ts';

/** The parts of an open warehouse. */
interface WarehouseParts {
  readonly duckdb: Duckdb;
  readonly kind: WarehouseKind;
  readonly session: Session;
  readonly clock: WarehouseClock;
  /** In milliseconds since the epoch. */
  readonly now: () => number;
  readonly close: () => void;
}

/** What SQL may do. The dialect writes nothing else; this also holds where the dialect has a fault. */
const allowedStatements = [
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE_INTO',
  'CREATE',
  'DROP',
  'ALTER',
] as const;

/** `Warehouse` on embedded DuckDB; `openWarehouse` creates it. */
export class DuckdbWarehouse implements Warehouse {
  readonly #parts: WarehouseParts;
  readonly #catalog: StoredCatalog;
  readonly #signal: AbortSignal | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: WarehouseParts, catalog = new StoredCatalog(parts.kind), signal?: AbortSignal) {
    this.#parts = parts;
    this.#catalog = catalog;
    this.#signal = signal;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  abortable(signal: AbortSignal, now?: () => number): Warehouse {
    const signals = this.#signal === undefined ? [signal] : [this.#signal, signal];
    const parts = { ...this.#parts, now: now ?? this.#parts.now };
    return new DuckdbWarehouse(parts, this.#catalog, AbortSignal.any(signals));
  }

  refresh(): Promise<void> {
    return this.#statement((connection) => this.#catalog.read(connection));
  }

  query(sql: string, { maxRows }: { readonly maxRows: number }): Promise<Rows> {
    return this.#prepared(sql, async (statement) => {
      const reader = await statement.streamAndReadUntil(maxRows + 1);
      const types = reader.columnTypes();
      const count = Math.min(reader.currentRowCount, maxRows);
      const rows = Array.from({ length: count }, (_, row) =>
        types.map((type, column): Value => readValue(this.#parts.duckdb, reader.value(column, row), type)),
      );
      return { columns: this.#columnsOf(statement), rows, isCut: reader.currentRowCount > maxRows };
    });
  }

  run(sql: string): Promise<number> {
    return this.#prepared(sql, async (statement) => (await statement.run()).rowsChanged);
  }

  describe(sql: string): Promise<readonly Column[]> {
    return this.#prepared(sql, async (statement) => this.#columnsOf(statement));
  }

  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    const restore = (connection: DuckDBConnection) => this.#catalog.read(connection);
    return this.#parts.session.transaction(work, restore, this.#signal);
  }

  async createSchema(database: string, schema: string): Promise<void> {
    const physical = physicalSchema(database, schema);
    await this.#statement(async (connection) => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(physical)}`);
      const same = `lower(schema_name) = lower(${quoteText(physical)}) AND database_name = current_database()`;
      const found = await connection.runAndReadAll(`SELECT schema_name FROM duckdb_schemas() WHERE ${same}`);
      const existing = String(found.value(0, 0));
      if (existing !== physical) throw otherCase('schemas', existing, physical);
    });
  }

  createTable(
    name: TableName,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<Table> {
    const { kind } = this.#parts;
    const table = physicalTable(name);
    return this.transaction(async () => {
      this.#refuseOtherCase(name);
      await this.createSchema(name.database, name.schema);
      await this.#statement(async (connection) => {
        await fillTable(connection, { table, columns, kind }, rows);
        await this.#catalog.read(connection);
      });
      const created = this.#catalog.find(name);
      if (created === undefined) throw new SqlError(`the table ${table} was not created`);
      return created;
    });
  }

  insertRows(table: Table, columns: readonly Column[], rows: readonly (readonly Value[])[]): Promise<void> {
    const given = { table: table.sql, columns, kind: this.#parts.kind };
    return this.transaction(() => this.#statement((connection) => addRows(connection, given, rows)));
  }

  stop(): void {
    this.#parts.session.stop();
  }

  resume(): void {
    this.#parts.session.resume();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#parts.session.close().then(() => this.#parts.close());
    return this.#closing;
  }

  #statement<Result>(work: (connection: DuckDBConnection) => Promise<Result>, sql?: string): Promise<Result> {
    return this.#parts.session.statement(work, { sql, signal: this.#signal });
  }

  /** Runs `work` with the one statement of `sql`. */
  #prepared<Result>(
    sql: string,
    work: (statement: DuckDBPreparedStatement) => Promise<Result>,
  ): Promise<Result> {
    return this.#statement(async (connection) => {
      await this.#parts.clock.set(connection, this.#parts.now());
      // The same numbers in each run.
      if (sql.includes('random()')) await connection.run('SELECT setseed(0.5)');
      const statement = await this.#prepare(connection, sql);
      try {
        return await work(statement);
      } finally {
        statement.destroySync();
      }
    }, sql);
  }

  async #prepare(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
    const { StatementType } = this.#parts.duckdb;
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1)
      throw new SqlError(`expected one statement, found ${statements.count}`, { ran: sql });
    const statement = await statements.prepare(0);
    if (allowedStatements.some((name) => statement.statementType === StatementType[name])) return statement;
    const name = StatementType[statement.statementType];
    statement.destroySync();
    throw new SqlError(`not allowed: the engine does not run statements of the kind ${name}`, { ran: sql });
  }

  #columnsOf(statement: DuckDBPreparedStatement): readonly Column[] {
    return Array.from({ length: statement.columnCount }, (_, index) => {
      const type = statement.columnType(index);
      const written = type.alias === 'JSON' ? 'JSON' : String(type);
      return { name: statement.columnName(index), type: warehouseType(written, this.#parts.kind) };
    });
  }

  /** DuckDB compares names without case: it would replace the other table. */
  #refuseOtherCase(name: TableName): void {
    const other = this.#catalog.find(name) === undefined ? this.#catalog.findIgnoringCase(name) : undefined;
    if (other === undefined) return;
    throw otherCase('tables', other.table, name.table);
  }
}

function otherCase(what: string, existing: string, name: string): Refusal {
  return new Refusal(`the ${what} "${existing}" and "${name}"`, undefined, 'their names differ in case only');
}
