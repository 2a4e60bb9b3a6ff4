import { numberOf } from '../../../../lib/core/text/number-of.ts';
import type { Column } from '../../../core/relation.ts';
import type { SqlType } from '../../../core/sql-type.ts';
import type { NamedRelation, TranslatedQuery } from '../../../core/dialect.ts';
import type { CommonTable, Expression, OrderItem, Query, QueryBody } from '../../parse/tree.ts';
import { commonType, convert } from '../casts/convert.ts';
import { markOuterReads, refuseCorrelated } from './correlation.ts';
import { shownForEqual } from '../sql/equal-texts.ts';
import { orderDirectionOf, orderedBy } from '../functions/order.ts';
import { writeSelect } from './select.ts';
import { duckType, quoteName, TEXT } from '../sql/typed.ts';
import { writeRows } from './values.ts';
import { fold, isOne, refusal, sqlError, type Names, write, type Writing } from '../sql/writing.ts';

/** What ORDER BY of a query may name. */
interface Written {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** The names inside of the SELECT, if it is one. */
  readonly names: Names | undefined;
  /** DuckDB's SQL of each column, if it is a SELECT. */
  readonly values?: readonly string[] | undefined;
  /** ORDER BY may only name what it selects. */
  readonly isDistinct?: boolean;
}

/** A term of ORDER BY: a column of the result, or another expression. */
interface Term {
  readonly position: number | undefined;
  readonly sql: string;
  readonly direction: string;
}

export function writeQuery(query: Query, writing: Writing): TranslatedQuery {
  const since = markOuterReads(writing);
  const commonTables = new Map(writing.commonTables);
  const inner: Writing = { ...writing, commonTables };
  const before = new Set<string>();
  const tables = query.tables.map((table) => {
    const name = fold(table.alias.name, writing);
    if (before.has(name))
      throw refusal(
        `two queries with the name "${name}" in WITH`,
        table.alias.name.at,
        writing,
        'choose a different name for one of them',
      );
    before.add(name);
    const tableWriting = { ...inner, commonTables: new Map(commonTables) };
    const { sql, relation } =
      (query.isRecursive && writeRecursiveTable(table, tableWriting)) ||
      writeCommonTable(table, tableWriting);
    commonTables.set(name, relation);
    return sql;
  });
  const body = writeBody(query.body, inner);
  const parts = [
    ...(tables.length > 0 ? [`WITH ${query.isRecursive ? 'RECURSIVE ' : ''}${tables.join(', ')}`] : []),
    ordered(query.order, body, inner),
    ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
    ...(query.offset === undefined ? [] : [`OFFSET ${query.offset}`]),
  ];
  refuseCorrelated(query, since, writing);
  return { sql: parts.join(' '), columns: body.columns, reads: [] };
}

function writeCommonTable(table: CommonTable, writing: Writing): { sql: string; relation: NamedRelation } {
  const query = writing.session.query(table.query, writing);
  const sqlName = writing.session.fresh('c');
  const names = table.alias.columns.map((column) => fold(column, writing));
  if (names.length > 0 && names.length !== query.columns.length)
    throw sqlError(
      `${table.alias.name.text} lists ${numberOf(names.length, 'column name')}, but its query has ${numberOf(query.columns.length, 'column')}`,
      table.alias.name.at,
      writing,
    );
  const columns = query.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
  const list = names.length > 0 ? `(${names.map(quoteName).join(', ')})` : '';
  return { sql: `${sqlName}${list} AS (${query.sql})`, relation: { sql: sqlName, columns } };
}

/** The first SELECT gives the columns and their types; the second one may read the table itself. */
function writeRecursiveTable(
  { alias, query }: CommonTable,
  writing: Writing,
): { sql: string; relation: NamedRelation } | undefined {
  const { body } = query;
  const isPlain = query.tables.length === 0 && query.order.length === 0 && query.limit === undefined;
  if (body.kind !== 'set' || body.operator !== 'UNION ALL' || !isPlain || query.offset !== undefined)
    return undefined;
  const first = writeBody(body.left, writing);
  const sqlName = writing.session.fresh('c');
  const names = alias.columns.map((column) => fold(column, writing));
  if (names.length > 0 && names.length !== first.columns.length)
    throw sqlError(
      `${alias.name.text} lists ${numberOf(names.length, 'column name')}, but its query has ${numberOf(first.columns.length, 'column')}`,
      alias.name.at,
      writing,
    );
  const columns = first.columns.map((column, index) => ({
    name: names[index] ?? column.name,
    type: typeOfRecursion(column.type),
  }));
  const relation = { sql: sqlName, columns };
  const commonTables = new Map(writing.commonTables).set(fold(alias.name, writing), relation);
  const second = writeBody(body.right, { ...writing, commonTables });
  if (!isOne(writing) && names.length === 0 && new RegExp(`\\b${sqlName}`).test(second.sql))
    throw refusal('a recursive query without a list of column names', alias.name.at, writing, LISTED);
  if (second.columns.length !== columns.length)
    throw differentWidths('UNION ALL', [columns, second.columns], body.at, writing);
  const [a, b] = [first, second].map((side) => queryAs(side, columns, body.at, writing));
  return { sql: `${sqlName} AS (${a} UNION ALL ${b})`, relation };
}

/** What the second SELECT gives may have more digits, and longer texts. */
function typeOfRecursion(type: SqlType): SqlType {
  if (type.name === 'VARCHAR') return TEXT;
  return type.name === 'NUMBER' ? { ...type, precision: 38 } : type;
}

const LISTED = 'the warehouse requires the list: write WITH RECURSIVE name (columns) AS (…)';

function writeBody(body: QueryBody, writing: Writing): Written {
  switch (body.kind) {
    case 'select':
      return writeSelect(body, writing);
    case 'values':
      return { ...writeRows(body.rows, body.at, writing), names: undefined };
    case 'nested': {
      const query = writing.session.query(body.query, writing);
      return { sql: `(${query.sql})`, columns: query.columns, names: undefined };
    }
    case 'set':
      return writeSet(body, writing);
  }
}

function differentWidths(
  operator: string,
  [left, right]: readonly [readonly unknown[], readonly unknown[]],
  at: number,
  writing: Writing,
): Error {
  const message = `the two queries of ${operator} must have the same number of columns, but they have ${left.length} and ${right.length}`;
  return sqlError(message, at, writing);
}

/** Both sides get the types that they have in common. */
function writeSet(body: Extract<QueryBody, { kind: 'set' }>, writing: Writing): Written {
  const left = writeBody(body.left, writing);
  const right = writeBody(body.right, writing);
  if (left.columns.length !== right.columns.length)
    throw differentWidths(body.operator, [left.columns, right.columns], body.at, writing);
  const columns = left.columns.map((column, index) => {
    const other = right.columns[index] ?? column;
    const type = commonType(
      [
        { sql: '', type: column.type },
        { sql: '', type: other.type },
      ],
      body.at,
      writing,
    );
    return { name: column.name, type };
  });
  const isShown = !body.operator.endsWith('ALL');
  const [a, b] = [left, right].map((side) =>
    queryAs(side, columns, body.at, writing, isShown ? body.operator : undefined),
  );
  const sql = `(${a}) ${body.operator} (${b})`;
  return { sql, columns, names: undefined };
}

/** Translates a query, and gives its columns the listed names and types in their order. */
export function queryAs(
  side: Pick<Written, 'sql' | 'columns'>,
  columns: readonly Column[],
  at: number,
  writing: Writing,
  /** The set operation that removes duplicate rows, if the query belongs to one. */
  operator?: string,
): string {
  const sqlAlias = writing.session.fresh('u');
  const cells = columns.map((column, index) => {
    const from = side.columns[index] ?? column;
    const value = convert(
      { sql: `${sqlAlias}.${quoteName(from.name)}`, type: from.type },
      column.type,
      at,
      writing,
    );
    const sql =
      operator === undefined
        ? value.sql
        : shownForEqual({ sql: value.sql, type: column.type }, operator, writing.session.context.warehouse);
    return `CAST(${sql} AS ${duckType(column.type)}) AS ${quoteName(column.name)}`;
  });
  return `SELECT ${cells.join(', ')} FROM (${side.sql}) AS ${sqlAlias}`;
}

/** The query with its order. */
function ordered(order: readonly OrderItem[], body: Written, writing: Writing): string {
  if (order.length === 0) return body.sql;
  const terms = order.map((item) => writeOrder(item, body, writing));
  const isVariant = ({ position = -1 }: Term) => body.columns[position]?.type.name === 'VARIANT';
  if (!terms.some(isVariant)) return `${body.sql} ORDER BY ${textOf(terms)}`;
  // DuckDB cannot order by an expression over a column of the result: the value is repeated, or the query becomes a
  // subquery.
  const values = body.isDistinct ? undefined : body.values;
  const sqlAlias = writing.session.fresh('o');
  const isOfResult = terms.every(({ position }) => position !== undefined);
  const valueOf = ({ position = -1 }: Term) =>
    isOfResult ? `${sqlAlias}.${quoteName(body.columns[position]?.name ?? '')}` : values?.[position];
  const keys = terms.map((term, index) => {
    if (!isVariant(term)) return term;
    const value = valueOf(term);
    const at = order[index]?.value.at ?? 0;
    if (value === undefined)
      throw refusal(
        'ORDER BY of a semi-structured value after a set operation or SELECT DISTINCT',
        at,
        writing,
        'cast the value',
      );
    return { ...term, sql: orderedBy({ sql: value, type: { name: 'VARIANT' } }, writing) };
  });
  const from = isOfResult ? `SELECT * FROM (${body.sql}) AS ${sqlAlias}` : body.sql;
  return `${from} ORDER BY ${textOf(keys)}`;
}

function textOf(terms: readonly Term[]): string {
  return terms.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');
}

const NOT_SELECTED = 'ORDER BY of a value that is not in the list of SELECT DISTINCT';

/** Whether all columns of an expression are selected. False if it has a subquery, which has columns of its own. */
function isSelected(part: unknown, body: Written, writing: Writing): boolean {
  if (typeof part !== 'object' || part === null) return true;
  if ('tables' in part && 'body' in part) return false;
  const node = part as Expression;
  if (node.kind !== 'column') return Object.values(part).every((inner) => isSelected(inner, body, writing));
  const name = node.parts.length === 1 && node.parts[0] ? fold(node.parts[0], writing) : undefined;
  const isOutput = body.columns.some((column) => column.name === name);
  return isOutput || body.values?.includes(write(node, writing).sql) === true;
}

/** A position, a column of the result, or an expression over the tables. */
function writeOrder(item: OrderItem, body: Written, writing: Writing): Term {
  const { value } = item;
  const direction = orderDirectionOf(item);
  const term = (position: number): Term => ({ position, sql: String(position + 1), direction });
  if (value.kind === 'number') {
    const position = Number(value.value);
    if (!Number.isInteger(position) || position < 1 || position > body.columns.length)
      throw sqlError(
        `ORDER BY ${value.value} is not the position of a column: the query has ${body.columns.length}`,
        value.at,
        writing,
      );
    return term(position - 1);
  }
  if (value.kind === 'column' && value.parts.length === 1 && value.parts[0]) {
    const name = fold(value.parts[0], writing);
    const position = body.columns.findIndex((column) => column.name === name);
    if (position >= 0) return term(position);
  }
  if (!body.names) throw refusal('ORDER BY with an expression after a set operation', value.at, writing);
  const inner = { ...writing, names: body.names };
  const written = write(value, inner);
  if (body.isDistinct) {
    const position = body.values?.indexOf(written.sql) ?? -1;
    if (position >= 0) return term(position);
    if (!isOne(writing) || !isSelected(value, body, inner))
      throw refusal(
        NOT_SELECTED,
        value.at,
        writing,
        'add the value to the SELECT list, or order by a value that is in the list',
      );
  }
  if (/^[-\d(]*\d\)*$/.test(written.sql)) throw refusal('ORDER BY with a constant', value.at, writing);
  return { position: undefined, sql: orderedBy(written, writing), direction };
}
