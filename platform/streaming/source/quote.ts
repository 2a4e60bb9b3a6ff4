import type { SourceTable } from './source.ts';

/** A name in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table in SQL: `"public"."Order Items"`. */
export function quoteTable({ schema, table }: SourceTable): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

/** A text in SQL, also where `standard_conforming_strings` is off. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
