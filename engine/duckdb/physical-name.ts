import type { TableName } from '../core/relation.ts';

/** A name as DuckDB's SQL writes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal of DuckDB's SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The name of the schema that holds a schema of a warehouse's database: `DB.SCHEMA`. All databases of an environment
 * are one database of DuckDB, because one transaction cannot write to two.
 */
export function physicalSchema(database: string, schema: string): string {
  return `${escapeDots(database)}.${escapeDots(schema)}`;
}

/** The opposite of `physicalSchema`; undefined for a schema that the engine did not create. */
export function logicalSchema(
  physical: string,
): { readonly database: string; readonly schema: string } | undefined {
  const [database, schema, ...more] = physical.split('.');
  if (database === undefined || schema === undefined || more.length > 0) return undefined;
  return { database: unescapeDots(database), schema: unescapeDots(schema) };
}

/** How DuckDB's SQL names a table: quoted, ready to be inserted. */
export function physicalTable({ database, schema, table }: TableName): string {
  return `${quoteName(physicalSchema(database, schema))}.${quoteName(table)}`;
}

/** The next value of a sequence. */
export function nextValueSql(sequence: TableName): string {
  return `nextval(${quoteText(physicalTable(sequence))})`;
}

function escapeDots(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E');
}

function unescapeDots(name: string): string {
  return name.replaceAll('%2E', '.').replaceAll('%25', '%');
}
