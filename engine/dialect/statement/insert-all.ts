import type { Column, Table } from '../../core/relation.ts';
import type { Cursor } from '../parse/cursor.ts';
import type { Expression, Name } from '../parse/tree.ts';
import { expectBoolean } from '../write/casts/convert.ts';
import { quoteName, type Typed } from '../write/sql/typed.ts';
import { refusal, sqlError, write, type Writing } from '../write/sql/writing.ts';
import { stored } from './insert.ts';
import { type Change, readTarget, refuseDoubleNames, targetColumn, withRelations } from './statement.ts';

/** One `INTO`: where the rows go, and which values. */
interface Into {
  readonly at: number;
  readonly table: Table;
  readonly columns: readonly Column[];
  /** Expressions over the rows of the query; undefined: its columns, in their order. */
  readonly values: readonly Expression[] | undefined;
}

/** The INTOs of a `WHEN`; without a condition, of `ELSE` or of all rows. */
interface Branch {
  readonly condition: Expression | undefined;
  readonly intos: readonly Into[];
}

/** The rows of the query, computed once: every table gets the same. */
const rows = 'temp.main.millrace_rows';

/**
 * Translates `INSERT [OVERWRITE] ALL | FIRST [WHEN condition THEN] INTO … query`. The cursor is after the word ALL or
 * FIRST.
 */
export function writeInsertAll(
  cursor: Cursor,
  writing: Writing,
  { isFirst, isOverwrite }: { readonly isFirst: boolean; readonly isOverwrite: boolean },
): Change {
  const { at } = cursor;
  const branches = readBranches(cursor, writing);
  const isConditional = branches.some(({ condition }) => condition !== undefined);
  if (isFirst && !isConditional) throw sqlError('INSERT FIRST needs at least one WHEN', at, writing);
  const body = cursor.query();
  cursor.expectEnd();
  const query = writing.session.query(body, writing);
  const sqlAlias = writing.session.fresh('q');
  const cells = query.columns.map((column): [string, Typed] => [
    column.name,
    { sql: `${sqlAlias}.${quoteName(column.name)}`, type: column.type },
  ]);
  const scope = withRelations(writing, [{ alias: '', columns: new Map(cells) }]);
  const values = cells.map(([, value]) => value);
  const filters = filtersOf(branches, isFirst, scope);
  const inserts = branches.flatMap(({ intos }, index) =>
    intos.map((into) =>
      insertText(into, { scope, values, from: `${rows} AS ${sqlAlias}${filters[index] ?? ''}` }),
    ),
  );
  const targets = new Set(branches.flatMap(({ intos }) => intos.map(({ table }) => table.sql)));
  const sql = [
    `CREATE OR REPLACE TEMP TABLE millrace_rows AS ${query.sql}`,
    ...(isOverwrite ? [...targets].map((table) => `DELETE FROM ${table}`) : []),
    ...inserts,
    `DROP TABLE ${rows}`,
  ];
  return { sql, definesTables: false };
}

function readBranches(cursor: Cursor, writing: Writing): readonly Branch[] {
  if (!cursor.isWord('WHEN')) return [{ condition: undefined, intos: readIntos(cursor, writing) }];
  const branches: Branch[] = [];
  while (cursor.takeWord('WHEN')) {
    const condition = cursor.expression();
    cursor.expectWord('THEN');
    branches.push({ condition, intos: readIntos(cursor, writing) });
  }
  if (cursor.takeWord('ELSE')) branches.push({ condition: undefined, intos: readIntos(cursor, writing) });
  return branches;
}

function readIntos(cursor: Cursor, writing: Writing): readonly Into[] {
  const intos: Into[] = [];
  do {
    cursor.expectWord('INTO');
    const { at } = cursor;
    const { table } = readTarget(cursor, writing, () => undefined);
    const names = readNames(cursor);
    refuseDoubleNames(names ?? [], writing);
    const columns = names?.map((name) => targetColumn(table, name, writing)) ?? table.columns;
    const values = cursor.takeWord('VALUES')
      ? cursor.inParentheses(() => cursor.list(() => readValue(cursor)))
      : undefined;
    intos.push({ at, table, columns, values });
  } while (cursor.isWord('INTO'));
  return intos;
}

/** The parentheses of a query may follow instead. */
function readNames(cursor: Cursor): readonly Name[] | undefined {
  if (!cursor.isOperator('(') || ['SELECT', 'WITH', '('].includes(cursor.peek(1).value)) return undefined;
  return cursor.inParentheses(() => cursor.list(() => cursor.name()));
}

function readValue(cursor: Cursor): Expression {
  if (cursor.isWord('DEFAULT'))
    throw cursor.refusal('DEFAULT in INSERT ALL', cursor.at, 'leave the column out of the list');
  return cursor.expression();
}

/** The WHERE of each branch. A condition that is NULL counts as false. */
function filtersOf(branches: readonly Branch[], isFirst: boolean, scope: Writing): readonly string[] {
  const conditions = branches.map(({ condition }) =>
    condition === undefined ? undefined : expectBoolean(write(condition, scope), condition.at, scope).sql,
  );
  return conditions.map((condition, index) => {
    const earlier = conditions.slice(0, index).map((each) => `(${each ?? 'TRUE'}) IS NOT TRUE`);
    if (condition === undefined) return earlier.length === 0 ? '' : ` WHERE ${earlier.join(' AND ')}`;
    return ` WHERE ${[...(isFirst ? earlier : []), condition].join(' AND ')}`;
  });
}

function insertText(
  { at, table, columns, values: written }: Into,
  { scope, values: all, from }: { scope: Writing; values: readonly Typed[]; from: string },
): string {
  const values = written?.map((value) => write(value, scope)) ?? all;
  if (values.length !== columns.length)
    throw sqlError(`INSERT has ${values.length} values for ${columns.length} columns`, at, scope);
  const cells = columns.map((column, index) => {
    const value = values[index];
    if (value === undefined) throw new Error('no such value');
    // In the warehouse, all tables get the same number of the sequence for a row. Here, each table would get its own
    // number.
    if (value.sql.includes('nextval('))
      throw refusal('NEXTVAL in INSERT ALL', written?.[index]?.at ?? at, scope);
    return stored(value, column, written?.[index]?.at ?? at, scope);
  });
  const list = columns.map((column) => quoteName(column.name)).join(', ');
  return `INSERT INTO ${table.sql} (${list}) SELECT ${cells.join(', ')} FROM ${from}`;
}
