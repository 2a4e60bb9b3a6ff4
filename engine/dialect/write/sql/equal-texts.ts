import type { WarehouseKind } from '../../../core/sql-type.ts';
import { quoteText, type Typed } from './typed.ts';

// In kind 2, texts that differ in the blanks at their ends only are equal. Which of several equal texts is shown is not
// documented: there, texts that end with a blank are refused.

type Value = Pick<Typed, 'sql' | 'type'>;

/** A text that is used to compare rows, but not shown. */
export function comparedText({ sql, type }: Value, warehouse: WarehouseKind): string {
  return isText(type, warehouse) ? `rtrim(${sql}, ' ')` : sql;
}

/** A text that DISTINCT or a set operation shows once for all equal texts. */
export function shownForEqual({ sql, type }: Value, what: string, warehouse: WarehouseKind): string {
  if (!isText(type, warehouse)) return sql;
  return `CASE WHEN ends_with(${sql}, ' ') THEN error(${messageOf(what)}) ELSE ${sql} END`;
}

/** The condition for HAVING that refuses groups of such texts; undefined if no group has one. */
export function havingOfGroups(groups: readonly Value[], warehouse: WarehouseKind): string | undefined {
  const texts = groups.filter(({ type }) => isText(type, warehouse));
  if (texts.length === 0) return undefined;
  // An aggregate, so that DuckDB does not test rows that WHERE leaves out.
  const isUnclear = texts.map(({ sql }) => `bool_or(ends_with(${sql}, ' '))`).join(' OR ');
  return `CASE WHEN ${isUnclear} THEN error(${messageOf('GROUP BY')}) ELSE TRUE END`;
}

/** The clause `GROUP BY` with that condition; empty without groups. */
export function groupBy(groups: readonly Value[], warehouse: WarehouseKind, list?: string): string {
  if (groups.length === 0) return '';
  const having = havingOfGroups(groups, warehouse);
  const grouped = ` GROUP BY ${list ?? groups.map(({ sql }) => sql).join(', ')}`;
  return having === undefined ? grouped : `${grouped} HAVING ${having}`;
}

/** MIN or MAX of texts, which shows one of several equal texts. */
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
  return quoteText(`Millrace does not support ${what} of a text that ends with a space; RTRIM it`);
}
