import type { Column, Table, TableName } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Alias, Name } from '../parse/tree.ts';
import { fullName } from '../write/query/from.ts';
import { NotedColumns } from '../write/query/noted-columns.ts';
import { quoteName } from '../write/sql/typed.ts';
import { fold, NO_NAMES, refusal, sqlError, type Visible, type Writing } from '../write/sql/writing.ts';

/** The translation of a statement that changes data or definitions. */
export interface Change {
  readonly sql: readonly string[];
  readonly definesTables: boolean;
}

/** Parses and translates the rest of a statement, after its first words. */
export type StatementWriter = (cursor: Cursor, writing: Writing) => Change;

/** The table that a statement changes. */
export interface Target {
  readonly table: Table;
  readonly visible: Visible;
  /** The table's name in DuckDB's SQL, with the alias for its columns. */
  readonly sql: string;
}

export function existingTable(parts: readonly Name[], at: number, writing: Writing): Table {
  const name = fullName(parts, writing);
  const { catalog } = writing.session.context;
  const table = catalog.find(name);
  if (table) return table;
  const similar = catalog.findIgnoringCase(name);
  const hint = similar ? `; there is "${similar.database}"."${similar.schema}"."${similar.table}"` : '';
  throw sqlError(
    `table "${name.database}"."${name.schema}"."${name.table}" not found${hint}`,
    at,
    writing,
    'missing-table',
  );
}

/** Parses the name of a table whose rows a statement changes. Throws SqlError for a view. */
export function readTarget(
  cursor: Cursor,
  writing: Writing,
  readAlias: (cursor: Cursor) => Alias | undefined,
): Target {
  const { at } = cursor;
  const parts = cursor.names();
  const table = existingTable(parts, at, writing);
  if (table.kind === 'view')
    throw sqlError(
      `"${table.table}" is a view, and the rows of a view cannot be changed: name a table`,
      at,
      writing,
    );
  const alias = readAlias(cursor);
  if (alias && alias.columns.length > 0)
    throw refusal('column names after the table', alias.name.at, writing);
  const sqlAlias = writing.session.fresh('t');
  const { noteColumn } = writing.session.context;
  const columns = new NotedColumns(
    table.columns.map(({ name, type }) => [name, { sql: `${sqlAlias}.${quoteName(name)}`, type }]),
    (name) => noteColumn?.(table.sql, name),
  );
  const path = [table.database, table.schema];
  const visible = alias
    ? { alias: fold(alias.name, writing), columns }
    : { alias: table.table, columns, path };
  return { table, visible, sql: `${table.sql} AS ${sqlAlias}` };
}

/** Finds the column of the table with this name. Throws SqlError if there is none. */
export function targetColumn(table: Table, name: Name, writing: Writing): Table['columns'][number] {
  const columnName = fold(name, writing);
  const column = table.columns.find((each) => each.name === columnName);
  if (column) {
    writing.session.context.noteColumn?.(table.sql, columnName);
    return column;
  }
  const similar = table.columns.find((each) => each.name.toLowerCase() === columnName.toLowerCase());
  const names = table.columns.slice(0, 20).map((each) => `"${each.name}"`);
  const hint = similar ? `the table has "${similar.name}"` : `"${table.table}" has ${names.join(', ')}`;
  throw sqlError(`column "${columnName}" not found; ${hint}`, name.at, writing, 'missing-column');
}

/** Throws SqlError if a new table does not have the column. */
export function expectColumn(name: Name, columns: readonly Column[], writing: Writing): Column {
  const columnName = fold(name, writing);
  const column = columns.find((each) => each.name === columnName);
  if (column) return column;
  const names = columns.slice(0, 20).map((each) => `"${each.name}"`);
  throw sqlError(
    `column "${columnName}" not found; the table has ${names.join(', ')}`,
    name.at,
    writing,
    'missing-column',
  );
}

export function withRelations(writing: Writing, relations: readonly Visible[]): Writing {
  return { ...writing, names: { ...NO_NAMES, relations } };
}

/** Parses `IF NOT EXISTS`. Throws SqlError if the statement also has `OR REPLACE`, which contradicts it. */
export function takeIfMissing(cursor: Cursor, isReplaced: boolean): boolean {
  const { at } = cursor;
  const isTaken = cursor.takeWord('IF', 'NOT', 'EXISTS');
  if (isTaken && isReplaced)
    throw cursor.wrong('OR REPLACE and IF NOT EXISTS cannot be used together: leave one of them out', at);
  return isTaken;
}

/**
 * Throws if a statement sets the value of an identity column in `WAREHOUSE_TWO`, where only the warehouse sets these
 * values.
 */
export function refuseIdentityValue(table: Table, column: Column, at: number, writing: Writing): void {
  if (table.identity === column.name)
    throw sqlError(
      `"${column.name}" is an identity column, whose values the warehouse generates: leave the column out`,
      at,
      writing,
    );
}

export function refuseDoubleNames(names: readonly Name[], writing: Writing): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const folded = fold(name, writing);
    const before = seen.get(folded.toLowerCase());
    if (before === folded)
      throw sqlError(`the name of the column "${folded}" is used twice`, name.at, writing);
    if (before !== undefined)
      throw refusal(`the columns "${before}" and "${folded}"`, name.at, writing, IN_CASE_ONLY);
    seen.set(folded.toLowerCase(), folded);
  }
}

const IN_CASE_ONLY = 'their names differ only in upper and lower case: rename one of them';

/**
 * Refuses a new table or view whose name differs from an existing name only in case, because DuckDB would replace the
 * existing table or view.
 */
export function refuseSimilarTable(name: TableName, at: number, writing: Writing): void {
  const { catalog } = writing.session.context;
  const similar = catalog.find(name) ? undefined : catalog.findIgnoringCase(name);
  if (similar) throw refusal(`the tables "${similar.table}" and "${name.table}"`, at, writing, IN_CASE_ONLY);
}
