import type { WarehouseKind } from '../core/sql-type.ts';

/**
 * Writes a text as a literal of the warehouse's SQL. Undefined for the rare texts that cannot be written as a
 * literal.
 */
export function textLiteral(text: string, kind: WarehouseKind): string | undefined {
  const quoted = text.replaceAll("'", "''");
  if (!text.includes('\\')) return `'${quoted}'`;
  // A backslash begins an escape in one kind; in the other, its meaning depends on a setting.
  if (kind === 'WAREHOUSE_ONE') return `'${quoted.replaceAll('\\', '\\\\')}'`;
  return /\$\$|\$$/.test(text) ? undefined : `$$${text}$$`;
}
