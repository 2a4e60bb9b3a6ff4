import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { jsonNull } from '../core/json-null.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Catalog, Column, Table, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { seedSql, type WarehouseClock } from './connection/clock.ts';
import { changeRows, reshapeTable } from './change-rows.ts';
import { addRows, fillTable } from './fill-table.ts';
import type { Duckdb } from './connection/load-duckdb.ts';
import { physicalPlace, physicalSchema, physicalTable, quoteName } from './catalog/physical-name.ts';
import { readValue } from './values/read-value.ts';
import { freeBytes, type Session } from './session.ts';
import type { StatementGuard } from './connection/statement-guard.ts';
import { statementColumns } from './catalog/statement-columns.ts';
import { StoredCatalog } from './catalog/stored-catalog.ts';
import type { QueryOptions, RowChanges, Rows, Value, Warehouse } from './connection/warehouse.ts';

/** The parts of an open warehouse. */
interface WarehouseParts {
  readonly duckdb: Duckdb;
  readonly kind: WarehouseKind;
  readonly session: Session;
  readonly guard: StatementGuard;
  readonly clock: WarehouseClock;
  /** In milliseconds since the epoch. */
  readonly now: () => number;
  readonly close: () => void;
  readonly isInFile: boolean;
}

/** Statements that may change the catalog. */
const definitions = ['CREATE', 'DROP', 'ALTER'] as const;

/** The statements that may run. The dialect writes no others; the list also protects against a fault in it. */
const allowedStatements = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE_INTO', ...definitions] as const;

const removing = ['DELETE', 'DROP'] as const;
const notGrowing = ['SELECT', ...removing] as const;

/** Implements `Warehouse` with embedded DuckDB. `openWarehouse` creates it. */
export class DuckdbWarehouse implements Warehouse {
  readonly #parts: WarehouseParts;
  readonly #catalog: StoredCatalog;
  readonly #signal: AbortSignal | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    parts: WarehouseParts,
    catalog = new StoredCatalog(parts.kind, parts.isInFile),
    signal?: AbortSignal,
  ) {
    this.#parts = parts;
    this.#catalog = catalog;
    this.#signal = signal;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  get isInvalid(): boolean {
    return this.#parts.session.isInvalid;
  }

  abortable(signal: AbortSignal, now?: () => number): Warehouse {
    const signals = this.#signal === undefined ? [signal] : [this.#signal, signal];
    const parts = { ...this.#parts, now: now ?? this.#parts.now };
    return new DuckdbWarehouse(parts, this.#catalog, AbortSignal.any(signals));
  }

  refresh(): Promise<void> {
    return this.#statement((connection) => this.#catalog.read(connection));
  }

  query(sql: string, { maxRows, tellsJsonNull = false }: QueryOptions): Promise<Rows> {
    return this.#prepared(sql, async (statement) => {
      const reader = await statement.streamAndReadUntil(maxRows + 1);
      const types = reader.columnTypes();
      const count = Math.min(reader.currentRowCount, maxRows);
      const rows = Array.from({ length: count }, (_, row) =>
        types.map((type, column): Value => {
          const stored = reader.value(column, row);
          const value = readValue(this.#parts.duckdb, stored, type);
          return tellsJsonNull && value === null && stored !== null ? jsonNull : value;
        }),
      );
      return {
        columns: statementColumns(statement, this.#parts.kind),
        rows,
        isCut: reader.currentRowCount > maxRows,
      };
    });
  }

  run(sql: string): Promise<number> {
    const run = () => this.#prepared(sql, async (statement) => rowsChanged(sql, await statement.run()));
    // What a transaction adds to the file is checked at its end.
    return this.#parts.guard.isLimited ? this.transaction(run) : run();
  }

  describe(sql: string): Promise<readonly Column[]> {
    const columns = async (statement: DuckDBPreparedStatement) =>
      statementColumns(statement, this.#parts.kind);
    return this.#prepared(sql, columns, { isRun: false });
  }

  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#parts.session.transaction(work, () => this.#catalog.save(), this.#signal);
  }

  async createSchema(database: string, schema: string): Promise<void> {
    const physical = physicalSchema(database, schema);
    await this.#statement(async (connection) => {
      const existing = (await this.#catalog.schemas(connection)).get(physical.toLowerCase());
      if (existing === physical) return;
      if (existing !== undefined) throw otherCase('schemas', existing, physical);
      await connection.run(`CREATE SCHEMA ${quoteName(physical)}`);
      this.#catalog.addSchema(physical);
    });
  }

  createTable(
    name: TableName,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<Table> {
    const { kind, duckdb } = this.#parts;
    const table = physicalTable(name);
    return this.transaction(async () => {
      this.#refuseOtherCase(name);
      await this.createSchema(name.database, name.schema);
      return this.#statement(async (connection) => {
        this.#parts.guard.noteGrowth();
        await fillTable(connection, { table, place: physicalPlace(name), columns, kind, duckdb }, rows);
        return this.#catalog.add(name, columns);
      });
    });
  }

  insertRows(table: Table, columns: readonly Column[], rows: readonly (readonly Value[])[]): Promise<void> {
    const { kind, duckdb } = this.#parts;
    const filling = { table: table.sql, place: physicalPlace(table), columns, kind, duckdb };
    return this.transaction(() =>
      this.#statement((connection) => {
        this.#parts.guard.noteGrowth();
        return addRows(connection, filling, rows);
      }),
    );
  }

  changeRows(table: Table, changes: RowChanges): Promise<void> {
    const { kind, duckdb } = this.#parts;
    const place = { table: table.sql, place: physicalPlace(table), kind, duckdb };
    return this.transaction(() =>
      this.#statement(async (connection) => {
        this.#parts.guard.noteGrowth();
        await changeRows(connection, place, changes);
        if (changes.removed.length > 0) this.#parts.guard.noteRemoval();
      }),
    );
  }

  reshapeTable(table: Table, columns: readonly Column[]): Promise<Table> {
    const place = { table: table.sql, place: physicalPlace(table), kind: this.#parts.kind };
    return this.transaction(() =>
      this.#statement(async (connection) => {
        this.#parts.guard.noteGrowth();
        await reshapeTable(connection, place, { from: table.columns, to: columns });
        return this.#catalog.add(table, columns);
      }),
    );
  }

  clear(): Promise<void> {
    return this.#statement(async (connection) => {
      const schemas = (await this.#catalog.schemas(connection)).values();
      const drops = [...schemas].flatMap((name) =>
        name === 'main' ? [] : [`DROP SCHEMA ${quoteName(name)} CASCADE; `],
      );
      const sql = `${drops.join('')}${seedSql}`;
      // If one DROP fails, those before it have succeeded.
      this.#catalog.note(sql, false);
      await connection.run(sql);
      this.#catalog.clear();
    });
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

  /** Calls `work` with the single statement in `sql`. Runs the statement first, unless `isRun` is false. */
  #prepared<Result>(
    sql: string,
    work: (statement: DuckDBPreparedStatement) => Promise<Result>,
    { isRun } = { isRun: true },
  ): Promise<Result> {
    return this.#statement(async (connection) => {
      await this.#parts.clock.set(connection, this.#parts.now());
      // The same numbers in each run.
      if (sql.includes('random()')) await connection.run(seedSql);
      const statement = await this.#prepare(connection, sql);
      const defines = this.#isOneOf(definitions, statement);
      try {
        if (isRun) await this.#refuseWhereFull(connection, statement);
        const result = await work(statement);
        if (defines) this.#catalog.note(sql, isRun);
        if (this.#isOneOf(removing, statement)) this.#parts.guard.noteRemoval();
        return result;
      } catch (error) {
        if (defines) this.#catalog.note(sql, false);
        throw error;
      } finally {
        statement.destroySync();
      }
    }, sql);
  }

  async #prepare(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
    const statement = await connection.prepare(sql).catch(async (error: unknown) => {
      throw (await severalStatements(connection, sql)) ?? error;
    });
    if (this.#isOneOf(allowedStatements, statement)) return statement;
    const name = this.#parts.duckdb.StatementType[statement.statementType];
    statement.destroySync();
    throw new SqlError(`statements of the kind ${name} are not allowed here`, { ran: sql });
  }

  /**
   * Refuses a statement if the database file is full. Statements that only read or remove are still allowed. What
   * they remove leaves free space in the file.
   */
  async #refuseWhereFull(connection: DuckDBConnection, statement: DuckDBPreparedStatement): Promise<void> {
    const { guard } = this.#parts;
    if (this.#isOneOf(notGrowing, statement)) return;
    guard.noteGrowth();
    if (!guard.isFull()) return;
    const free = await connection.runAndReadAll(freeBytes);
    if (guard.isFull(Number(free.value(0, 0)))) throw new SqlError(guard.fullMessage);
  }

  #isOneOf(names: readonly (typeof allowedStatements)[number][], { statementType }: DuckDBPreparedStatement) {
    const { StatementType } = this.#parts.duckdb;
    return names.some((name) => StatementType[name] === statementType);
  }

  /**
   * Refuses a name that differs from an existing name only in case. DuckDB does not distinguish them, and would
   * replace the other table.
   */
  #refuseOtherCase(name: TableName): void {
    const other = this.#catalog.find(name) === undefined ? this.#catalog.findIgnoringCase(name) : undefined;
    if (other === undefined) return;
    throw otherCase('tables', other.table, name.table);
  }
}

/** Why DuckDB cannot prepare a text of several statements; undefined for another error. */
async function severalStatements(connection: DuckDBConnection, sql: string): Promise<SqlError | undefined> {
  const { count } = await connection.extractStatements(sql).catch(() => ({ count: 1 }));
  return count > 1
    ? new SqlError(`this SQL has ${count} statements, but only one is allowed here`, { ran: sql })
    : undefined;
}

function otherCase(what: string, existing: string, name: string): Refusal {
  return new Refusal(
    `the ${what} "${existing}" and "${name}"`,
    undefined,
    'their names differ only in upper and lower case: rename one of them',
  );
}

/** A table of the engine itself, from which a later statement fills the table of the user. */
const temporary = /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP\b/i;

/** The number of rows that a statement has changed. CREATE TABLE AS answers with it, as a query does. */
async function rowsChanged(sql: string, result: DuckDBResult): Promise<number> {
  if (!/^\s*CREATE\b/i.test(sql) || temporary.test(sql)) return result.rowsChanged;
  const [row] = await result.getRows();
  return Number(row?.[0] ?? 0);
}
