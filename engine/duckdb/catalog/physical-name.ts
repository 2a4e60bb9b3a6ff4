import type { TableName } from '../../core/relation.ts';

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

/** The names of a table as DuckDB has them. */
export function physicalPlace({ database, schema, table }: TableName): { schema: string; table: string } {
  return { schema: physicalSchema(database, schema), table };
}

/** The opposite of `physicalTable`; undefined for a table in a schema that the engine did not create. */
export function logicalTable(sql: string): TableName | undefined {
  const [, schema, table] = /^("(?:[^"]|"")+")\.("(?:[^"]|"")+")$/.exec(sql) ?? [];
  const place = schema === undefined ? undefined : logicalSchema(unquoteName(schema));
  return place === undefined || table === undefined ? undefined : { ...place, table: unquoteName(table) };
}

/** The next value of a sequence. */
export function nextValueSql(sequence: TableName): string {
  return `nextval(${quoteText(physicalTable(sequence))})`;
}

/** The opposite of `quoteName`. */
export function unquoteName(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"');
}

function escapeDots(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('.', '%2E');
}

function unescapeDots(name: string): string {
  return name.replaceAll('%2E', '.').replaceAll('%25', '%');
}
