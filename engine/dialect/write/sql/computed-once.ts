import type { Writing } from './writing.ts';

const NAME = 'millrace_value';

/** Longer expressions are not written several times; nor is a value that is read from JSON. */
const LONG_SQL = 60;

/**
 * The SQL that uses a value several times but computes it only once, if DuckDB allows that: a DuckDB lambda cannot
 * contain subqueries or columns of an outer query. A column or a short expression is repeated instead, which is
 * faster.
 */
export function computedOnce(value: string, writing: Writing, use: (value: string) => string): string {
  const changes = /\b(?:nextval|random)\(/.test(value);
  const isLong = (value.length > LONG_SQL || value.includes('->>')) && columnOf(value) === undefined;
  // The defaults of columns cannot have lambdas either.
  const isDefault = writing.session.isStored && writing.names.relations.length === 0;
  const isPossible = !isDefault && writing.names.outer === undefined && !/\bSELECT\b/.test(value);
  if (!changes && !(isLong && isPossible)) return use(value);
  return `list_transform([${value}], lambda ${NAME}: ${use(NAME)})[1]`;
}

/** The name of the column if the SQL is only a column. Undefined for any other expression. */
export function columnOf(sql: string): string | undefined {
  return /^(?:\w+\.)?("(?:[^"]|"")+")$/.exec(sql)?.[1];
}
