/** What the columns of a table have that `CREATE TABLE AS` alone cannot create: limits of length, and comments. */
export interface ColumnLimits {
  /** The column definitions of a CREATE TABLE, if there are lengths, defaults or NOT NULL. */
  readonly definitions: readonly string[] | undefined;
  /** Statements that run after it, such as `declareTypes`. */
  readonly afterwards: readonly string[];
}

/**
 * DuckDB's statements that replace a table by the rows of a query, which is also DuckDB's SQL. The rows are
 * computed before the table is replaced, so the query may read the old table.
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
