/**
 * The properties of a table's columns that `CREATE TABLE AS` alone cannot create: maximum lengths, defaults, NOT NULL
 * and comments.
 */
export interface ColumnLimits {
  /** The column definitions for a CREATE TABLE. Undefined if no column has a length, a default or NOT NULL. */
  readonly definitions: readonly string[] | undefined;
  /** Statements to run after the table is created, such as the result of `declareTypes`. */
  readonly afterwards: readonly string[];
}

/**
 * The DuckDB statements that replace a table by the rows of a query in DuckDB's SQL. The rows are computed before the
 * table is replaced, so the query may read the old table.
 */
export function replaceTableSql(
  table: string,
  rows: string,
  limits: ColumnLimits | undefined,
): readonly string[] {
  if (limits?.definitions === undefined)
    return [`CREATE OR REPLACE TABLE ${table} AS ${rows}`, ...(limits?.afterwards ?? [])];
  const copy = 'temp.main.millrace_query';
  return [
    `CREATE OR REPLACE TEMP TABLE millrace_query AS ${rows}`,
    `CREATE OR REPLACE TABLE ${table} (${limits.definitions.join(', ')})`,
    ...limits.afterwards,
    `INSERT INTO ${table} SELECT * FROM ${copy}`,
    `DROP TABLE ${copy}`,
  ];
}
