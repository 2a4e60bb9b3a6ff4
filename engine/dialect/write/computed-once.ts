import type { Writing } from './writing.ts';

const NAME = 'millrace_value';

/** Longer expressions are not written several times. */
const LONG_SQL = 60;

/**
 * SQL that uses a value several times, but computes it once, where DuckDB allows it: its lambdas know no subqueries, and
 * no columns of a query around. A column and a short expression are written several times, which is faster.
 */
export function computedOnce(value: string, writing: Writing, use: (value: string) => string): string {
  const changes = /\b(?:nextval|random)\(/.test(value);
  const isLong = value.length > LONG_SQL && !isColumn(value);
  const isPossible = writing.names.outer === undefined && !/\bSELECT\b/.test(value);
  if (!changes && !(isLong && isPossible)) return use(value);
  return `list_transform([${value}], lambda ${NAME}: ${use(NAME)})[1]`;
}

/** The name of a column of DuckDB's SQL; undefined for other expressions. */
export function columnOf(sql: string): string | undefined {
  return /^(?:\w+\.)?("(?:[^"]|"")+")$/.exec(sql)?.[1];
}

function isColumn(sql: string): boolean {
  return columnOf(sql) !== undefined;
}
