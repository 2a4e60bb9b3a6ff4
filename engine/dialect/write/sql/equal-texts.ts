import type { WarehouseKind } from '../../../core/sql-type.ts';
import { quoteText, type Typed } from './typed.ts';

// In `WAREHOUSE_TWO`, texts that differ only in the blanks at their ends are equal. Which of several equal texts is
// shown is not documented: there, texts that end with a blank are refused.

type Value = Pick<Typed, 'sql' | 'type'>;

/** The SQL of a text that is only used to compare rows and is not part of the result. */
export function comparedText({ sql, type }: Value, warehouse: WarehouseKind): string {
  return isText(type, warehouse) ? `rtrim(${sql}, ' ')` : sql;
}

/** The SQL of a text that is part of the result once for all equal texts, as with DISTINCT or a set operation. */
export function shownForEqual({ sql, type }: Value, what: string, warehouse: WarehouseKind): string {
  if (!isText(type, warehouse)) return sql;
  return `CASE WHEN ends_with(${sql}, ' ') THEN error(${messageOf(what)}) ELSE ${sql} END`;
}

/**
 * The condition for HAVING that refuses groups of texts that are equal but not identical. Undefined if there are no
 * such groups.
 */
export function havingOfGroups(groups: readonly Value[], warehouse: WarehouseKind): string | undefined {
  const texts = groups.filter(({ type }) => isText(type, warehouse));
  if (texts.length === 0) return undefined;
  // An aggregate, so that DuckDB does not test rows that WHERE leaves out.
  const isUnclear = texts.map(({ sql }) => `bool_or(ends_with(${sql}, ' '))`).join(' OR ');
  return `CASE WHEN ${isUnclear} THEN error(${messageOf('GROUP BY')}) ELSE TRUE END`;
}

/** The clause `GROUP BY`, with the condition of `havingOfGroups`. Empty if there are no groups. */
export function groupBy(groups: readonly Value[], warehouse: WarehouseKind, list?: string): string {
  if (groups.length === 0) return '';
  const having = havingOfGroups(groups, warehouse);
  const grouped = ` GROUP BY ${list ?? groups.map(({ sql }) => sql).join(', ')}`;
  return having === undefined ? grouped : `${grouped} HAVING ${having}`;
}

/** The SQL of MIN or MAX of texts, whose result is one of several equal texts. */
export function extremeText(
  sql: string,
  value: Value,
  what: string,
  warehouse: WarehouseKind,
  over: string,
): string {
  if (!isText(value.type, warehouse)) return sql;
  return `CASE WHEN bool_or(ends_with(${value.sql}, ' '))${over} THEN error(${messageOf(what)}) ELSE ${sql} END`;
}

function isText({ name }: Value['type'], warehouse: WarehouseKind): boolean {
  return warehouse === 'WAREHOUSE_TWO' && name === 'VARCHAR';
}

function messageOf(what: string): string {
  return quoteText(`Millrace does not support ${what} of a text that ends with a space; apply RTRIM to it`);
}
