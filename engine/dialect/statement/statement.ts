import type { Column, Table, TableName } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Alias, Name } from '../parse/tree.ts';
import { fullName } from '../write/query/from.ts';
import { NotedColumns } from '../write/query/noted-columns.ts';
import { quoteName } from '../write/sql/typed.ts';
import { fold, NO_NAMES, refusal, sqlError, type Visible, type Writing } from '../write/sql/writing.ts';

/** The translation of a statement that changes something. */
export interface Change {
  readonly sql: readonly string[];
  readonly definesTables: boolean;
}

/** Parses one statement after its first words, and translates it. */
export type StatementWriter = (cursor: Cursor, writing: Writing) => Change;

/** The table that a statement changes. */
export interface Target {
  readonly table: Table;
  readonly visible: Visible;
  /** DuckDB's SQL of the table, with the name that its columns have before them. */
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

/** Parses the name of the table whose rows change. Throws for a view. */
export function readTarget(
  cursor: Cursor,
  writing: Writing,
  readAlias: (cursor: Cursor) => Alias | undefined,
): Target {
  const { at } = cursor;
  const parts = cursor.names();
  const table = existingTable(parts, at, writing);
  if (table.kind === 'view')
    throw sqlError(`"${table.table}" is a view: its rows cannot be changed`, at, writing);
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

/** The column of the table with this name. */
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

/** Throws if a new table does not have the column. */
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

/** Parses `IF NOT EXISTS`, which contradicts `OR REPLACE`. */
export function takeIfMissing(cursor: Cursor, isReplaced: boolean): boolean {
  const { at } = cursor;
  const isTaken = cursor.takeWord('IF', 'NOT', 'EXISTS');
  if (isTaken && isReplaced)
    throw cursor.wrong('OR REPLACE and IF NOT EXISTS exclude each other: leave one of them out', at);
  return isTaken;
}

/**
 * Refuses a statement that sets an identity column in the second kind of warehouse, where the warehouse generates
 * its values.
 */
export function refuseIdentityValue(table: Table, column: Column, at: number, writing: Writing): void {
  if (table.identity === column.name)
    throw sqlError(
      `"${column.name}" is an identity column: leave it out, its value counts on its own`,
      at,
      writing,
    );
}

export function refuseDoubleNames(names: readonly Name[], writing: Writing): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const folded = fold(name, writing);
    const before = seen.get(folded.toLowerCase());
    if (before === folded) throw sqlError(`the column "${folded}" appears twice`, name.at, writing);
    if (before !== undefined)
      throw refusal(`the columns "${before}" and "${folded}"`, name.at, writing, IN_CASE_ONLY);
    seen.set(folded.toLowerCase(), folded);
  }
}

const IN_CASE_ONLY = 'their names differ only in upper and lower case: rename one of them';

/** Refuses a new table or view if DuckDB would replace another one. */
export function refuseSimilarTable(name: TableName, at: number, writing: Writing): void {
  const { catalog } = writing.session.context;
  const similar = catalog.find(name) ? undefined : catalog.findIgnoringCase(name);
  if (similar) throw refusal(`the tables "${similar.table}" and "${name.table}"`, at, writing, IN_CASE_ONLY);
}
