import type { SourceTable } from './source.ts';

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes the name of a table for SQL: `"public"."Order Items"`. */
export function quoteTable({ schema, table }: SourceTable): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

/** Quotes a text for SQL, even if `standard_conforming_strings` is off. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
