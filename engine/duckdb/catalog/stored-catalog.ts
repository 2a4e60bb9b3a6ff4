import type { DuckDBConnection } from '@duckdb/node-api';
import type { Catalog, Column, ColumnRule, Table, TableName, UserFunction } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { declaredType, isIdentity, isInPrimaryKey, storedType } from './column-types.ts';
import { statementTypes } from './statement-columns.ts';
import { logicalTable, logicalSchema, physicalTable, quoteText, unquoteName } from './physical-name.ts';
import { declaredNeeds } from './view-needs.ts';
import { readSignature } from './user-functions.ts';

const tablesSql = `
SELECT c.schema_name, c.table_name, v.view_name IS NOT NULL, c.column_name, c.data_type, c.comment, v.comment,
  v.view_name IS NULL AND NOT c.is_nullable, c.column_default
FROM duckdb_columns() c
LEFT JOIN duckdb_views() v
  ON v.database_oid = c.database_oid AND v.schema_oid = c.schema_oid AND v.view_name = c.table_name
WHERE NOT c.internal AND c.database_name = current_database()
ORDER BY c.schema_name, c.table_name, c.column_index`;

const schemasSql =
  'SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database()';

const functionsSql = `
SELECT schema_name, function_name, to_json(parameters)
FROM duckdb_functions()
WHERE function_type = 'macro' AND NOT internal AND database_name = current_database()`;

/** A column as DuckDB has it. */
interface StoredColumn {
  readonly name: string;
  /** DuckDB's type. */
  readonly written: string;
  readonly comment: string | null;
  readonly rule: ColumnRule | undefined;
}

/** The engine's own tables of one statement: the catalog does not have them. */
const temporary = /^(?:CREATE OR REPLACE TEMP TABLE|DROP TABLE temp\.) ?/;

const NAME = '("(?:[^"]|"")+"\\."(?:[^"]|"")+")';
/** A new table, as the engine writes it. */
const newTable = new RegExp(`^CREATE OR REPLACE TABLE ${NAME} (?:AS |\\()`);
/** A default or NOT NULL in a new table, or a name with these words. */
const rule = / (?:NOT NULL|DEFAULT )/;
/** What DuckDB's types cannot express about a column. */
const newComment = new RegExp(`^COMMENT ON COLUMN ${NAME}\\.("(?:[^"]|"")+") IS '((?:[^']|'')*)'$`);

/**
 * The tables and views of a warehouse, as they were when DuckDB's catalog was last read. Names have their stored case, and columns have their
 * declared types. Reading DuckDB's catalog takes long, because it also lists DuckDB's own views. Therefore it is read again only after a
 * statement that may have changed it.
 */
export class StoredCatalog implements Catalog {
  readonly #kind: WarehouseKind;
  #tables: ReadonlyMap<string, Table> = new Map();
  #byLowerCase: ReadonlyMap<string, Table> = new Map();
  /** The DuckDB schemas by their names in lower case. Undefined if they must be read again. */
  #schemas: ReadonlyMap<string, string> | undefined;
  #isStale = true;
  #functions: ReadonlyMap<string, UserFunction> = new Map();
  #mayHaveFunctions: boolean; // Reading them takes long.
  /** The tables that were created since the catalog was read, by their names in DuckDB's SQL, with the comments of their columns. */
  #created: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();
  /** The new tables whose columns may have a default or NOT NULL. */
  #withRules: ReadonlySet<string> = new Set();

  /** @param mayHaveTables whether the database already existed, so that its catalog must be read */
  constructor(kind: WarehouseKind, mayHaveTables = false) {
    this.#kind = kind;
    this.#mayHaveFunctions = mayHaveTables;
    if (!mayHaveTables) this.clear();
  }

  findFunction(name: TableName): UserFunction | undefined {
    return this.#functions.get(physicalTable(name));
  }

  find(name: TableName): Table | undefined {
    return this.#tables.get(physicalTable(name));
  }

  findIgnoringCase(name: TableName): Table | undefined {
    return this.#byLowerCase.get(physicalTable(name).toLowerCase());
  }

  all(): readonly Table[] {
    return [...this.#tables.values()].toSorted(
      (a, b) => compare(a.database, b.database) || compare(a.schema, b.schema) || compare(a.table, b.table),
    );
  }

  list(database: string, schema: string): readonly Table[] {
    return this.all().filter((table) => table.database === database && table.schema === schema);
  }

  schemaNames(database: string): readonly string[] {
    return [...(this.#schemas ?? new Map<string, string>()).values()].flatMap((physical) => {
      const place = logicalSchema(physical);
      return place?.database === database ? [place.schema] : [];
    });
  }

  /** Notes a statement that may have changed the catalog. `hasSucceeded` says whether it ran to its end. */
  note(sql: string, hasSucceeded: boolean): void {
    if (temporary.test(sql)) return;
    if (hasSucceeded && this.#notesCreated(sql)) return;
    this.#isStale = true;
    if (sql.startsWith('CREATE OR REPLACE MACRO ')) this.#mayHaveFunctions = true;
    if (/\bschema\b/i.test(sql)) this.#schemas = undefined;
  }

  /** Notes a statement that only concerns new tables. Returns false for any other statement. */
  #notesCreated(sql: string): boolean {
    const [, created] = newTable.exec(sql) ?? [];
    if (created !== undefined) {
      this.#created = new Map(this.#created).set(created, new Map());
      const isPlain = sql.startsWith(' AS ', sql.indexOf(created) + created.length) || !rule.test(sql);
      this.#withRules = isPlain
        ? new Set([...this.#withRules].filter((table) => table !== created))
        : new Set([...this.#withRules, created]);
      return true;
    }
    const [, table = '', column = '', comment = ''] = newComment.exec(sql) ?? [];
    const comments = this.#created.get(table);
    if (comments === undefined) return false;
    const commented = new Map(comments).set(unquoteName(column), comment.replaceAll("''", "'"));
    this.#created = new Map(this.#created).set(table, commented);
    return true;
  }

  /** Reads the parts of the catalog that may have changed. */
  async read(connection: DuckDBConnection): Promise<void> {
    if (this.#isStale) await this.#readAll(connection);
    else
      for (const [sql, comments] of this.#created) {
        const name = logicalTable(sql);
        if (name !== undefined) await this.#readTable(name, comments, connection);
      }
    this.#created = new Map();
    this.#withRules = new Set();
    this.#isStale = false;
  }

  async #readTable(
    name: TableName,
    comments: ReadonlyMap<string, string>,
    connection: DuckDBConnection,
  ): Promise<void> {
    const sql = physicalTable(name);
    const rules = this.#withRules.has(sql) ? await rulesOf(sql, connection) : new Map<string, ColumnRule>();
    const statement = await connection.prepare(`SELECT * FROM ${sql}`);
    const columns = statementTypes(statement).map((column) => ({
      ...column,
      comment: comments.get(column.name) ?? null,
      rule: rules.get(column.name),
    }));
    statement.destroySync();
    this.#replace(new Map(this.#tables).set(sql, this.#tableOf({ ...name, kind: 'table', sql }, columns)));
  }

  #tableOf(table: Omit<Table, 'columns'>, columns: readonly StoredColumn[]): Table {
    const primaryKey = columns.filter(({ comment }) => isInPrimaryKey(comment)).map(({ name }) => name);
    const rules = new Map(
      columns.flatMap((column) => (column.rule ? [[column.name, column.rule] as const] : [])),
    );
    const identity = columns.findLast(({ comment }) => isIdentity(comment))?.name;
    return {
      ...table,
      columns: columns.map(({ name, written, comment }) => ({
        name,
        type: declaredType(written, comment, this.#kind),
      })),
      ...(primaryKey.length > 0 && { primaryKey }),
      ...(identity !== undefined && { identity }),
      ...(rules.size > 0 && { rules }),
    };
  }

  async #readAll(connection: DuckDBConnection): Promise<void> {
    const found = new Map<
      string,
      { readonly table: Omit<Table, 'columns'>; readonly columns: StoredColumn[] }
    >();
    const reader = await connection.runAndReadAll(tablesSql);
    for (const row of reader.getRows()) {
      const [physical, table, isView, column, type, comment, needs, isRequired, otherwise] = row;
      const place = logicalSchema(String(physical));
      if (place === undefined) continue;
      const name = { ...place, table: String(table) };
      const sql = physicalTable(name);
      const entry = found.get(sql) ?? {
        table: {
          ...name,
          kind: isView === true ? ('view' as const) : ('table' as const),
          ...(isView === true && { needs: declaredNeeds(needs) }),
          sql,
        },
        columns: [],
      };
      const note = typeof comment === 'string' ? comment : null;
      entry.columns.push({
        name: String(column),
        written: String(type),
        comment: note,
        rule: ruleOf(isRequired === true, otherwise),
      });
      found.set(sql, entry);
    }
    const tables = new Map(
      Array.from(found, ([sql, { table, columns }]) => [sql, this.#tableOf(table, columns)]),
    );
    this.#replace(tables);
    await this.schemas(connection);
    if (this.#mayHaveFunctions) await this.#readFunctions(connection);
  }

  async #readFunctions(connection: DuckDBConnection): Promise<void> {
    const functions = (await connection.runAndReadAll(functionsSql))
      .getRows()
      .flatMap(([schema, name, list]) => {
        const place = logicalSchema(String(schema));
        if (place === undefined) return [];
        const sql = physicalTable({ ...place, table: String(name) });
        const signature = readSignature(JSON.parse(String(list)) as readonly string[], sql);
        return signature === undefined ? [] : [[sql, signature] as const];
      });
    this.#functions = new Map(functions);
  }

  /** Adds a table that was created with these columns. It replaces a table of the same name. */
  add({ database, schema, table }: TableName, columns: readonly Column[]): Table {
    const name = { database, schema, table };
    const sql = physicalTable(name);
    const stored = columns.map((column) => ({
      name: column.name,
      type: storedType(column.type, this.#kind),
    }));
    const added: Table = { ...name, kind: 'table', columns: stored, sql };
    this.#created = new Map([...this.#created].filter(([other]) => other !== sql));
    this.#replace(new Map(this.#tables).set(sql, added));
    return added;
  }

  /** The DuckDB schemas by their names in lower case. */
  async schemas(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
    if (this.#schemas !== undefined) return this.#schemas;
    const names = (await connection.runAndReadAll(schemasSql)).getRows().map(([name]) => String(name));
    return (this.#schemas = new Map(names.map((name) => [name.toLowerCase(), name])));
  }

  addSchema(physical: string): void {
    if (this.#schemas !== undefined)
      this.#schemas = new Map(this.#schemas).set(physical.toLowerCase(), physical);
  }

  /** Removes everything except DuckDB's own schema. */
  clear(): void {
    this.#replace(new Map());
    this.#schemas = new Map([['main', 'main']]);
    this.#created = new Map();
    this.#functions = new Map();
    this.#isStale = false;
  }

  /** Returns a function that restores the current state of the catalog after a rollback. */
  save(): () => void {
    const [tables, byLowerCase, schemas] = [this.#tables, this.#byLowerCase, this.#schemas];
    const [isStale, created, functions] = [this.#isStale, this.#created, this.#functions];
    const withRules = this.#withRules;
    return () => {
      [this.#tables, this.#byLowerCase, this.#schemas] = [tables, byLowerCase, schemas];
      [this.#isStale, this.#created, this.#functions] = [isStale, created, functions];
      this.#withRules = withRules;
    };
  }

  #replace(tables: ReadonlyMap<string, Table>): void {
    this.#tables = tables;
    this.#byLowerCase = new Map([...tables].map(([sql, table]) => [sql.toLowerCase(), table]));
  }
}

function ruleOf(isRequired: boolean, otherwise: unknown): ColumnRule | undefined {
  const value = typeof otherwise === 'string' ? otherwise : undefined;
  return isRequired || value !== undefined ? { isRequired, otherwise: value } : undefined;
}

/** The rules of one table, without the list of all columns, which takes DuckDB long. */
async function rulesOf(sql: string, connection: DuckDBConnection): Promise<ReadonlyMap<string, ColumnRule>> {
  const reader = await connection.runAndReadAll(`PRAGMA table_info(${quoteText(sql)})`);
  return new Map(
    reader.getRows().flatMap(([, column, , isRequired, otherwise]) => {
      const found = ruleOf(isRequired === true, otherwise);
      return found === undefined ? [] : [[String(column), found] as const];
    }),
  );
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
