import type { TableName } from '../../core/relation.ts';

/** A name in double quotes, as DuckDB's SQL writes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in single quotes, as DuckDB's SQL writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The name of the DuckDB schema, `DB.SCHEMA`, that stores a schema of a database of the warehouse. All databases of
 * an environment are stored in a single DuckDB database, because a transaction cannot write to two databases.
 */
export function physicalSchema(database: string, schema: string): string {
  return `${escapeDots(database)}.${escapeDots(schema)}`;
}

/**
 * The database and schema of the warehouse that a DuckDB schema stores (the inverse of `physicalSchema`). Undefined
 * for a schema that the engine did not create.
 */
export function logicalSchema(
  physical: string,
): { readonly database: string; readonly schema: string } | undefined {
  const [database, schema, ...more] = physical.split('.');
  if (database === undefined || schema === undefined || more.length > 0) return undefined;
  return { database: unescapeDots(database), schema: unescapeDots(schema) };
}

/** The full, quoted name of a table for DuckDB's SQL. */
export function physicalTable({ database, schema, table }: TableName): string {
  return `${quoteName(physicalSchema(database, schema))}.${quoteName(table)}`;
}

/** The schema and the name of a table in DuckDB, without quotes. */
export function physicalPlace({ database, schema, table }: TableName): { schema: string; table: string } {
  return { schema: physicalSchema(database, schema), table };
}

/**
 * The table of the warehouse that a DuckDB table stores (the inverse of `physicalTable`). Undefined for a table in a
 * schema that the engine did not create.
 */
export function logicalTable(sql: string): TableName | undefined {
  const [, schema, table] = /^("(?:[^"]|"")+")\.("(?:[^"]|"")+")$/.exec(sql) ?? [];
  const place = schema === undefined ? undefined : logicalSchema(unquoteName(schema));
  return place === undefined || table === undefined ? undefined : { ...place, table: unquoteName(table) };
}

/** DuckDB's SQL for the next value of a sequence. */
export function nextValueSql(sequence: TableName): string {
  return `nextval(${quoteText(physicalTable(sequence))})`;
}

/** A name without its double quotes (the inverse of `quoteName`). */
export function unquoteName(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"');
}

function escapeDots(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E');
}

function unescapeDots(name: string): string {
  return name.replaceAll('%2E', '.').replaceAll('%25', '%');
}
