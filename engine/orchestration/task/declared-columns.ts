import type { Column } from '../../core/relation.ts';
import { sourceText } from '../../core/source-text.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { readTypeText } from '../../dialect/read-type-text.ts';

/**
 * Reads the columns of a table from a map of names to the texts of types. `of` describes the text in messages. Throws
 * Refusal and SqlError.
 */
export function declaredColumns(
  columns: Readonly<Record<string, string>> | undefined,
  kind: WarehouseKind,
  of: string,
): readonly Column[] | undefined {
  if (columns === undefined) return undefined;
  return Object.entries(columns).map(([name, type]) => ({
    name,
    type: readTypeText(sourceText(type, `${of}, column ${name}`), kind),
  }));
}
