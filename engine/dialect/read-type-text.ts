import type { SourceText } from '../core/source-text.ts';
import type { SqlType, WarehouseKind } from '../core/sql-type.ts';
import { cursorOver } from './parse/index.ts';
import { parseAnyType } from './parse/type-name.ts';
import { tokenize } from './parse/tokenize.ts';

/**
 * Parses the name of a type as the warehouse's SQL writes it, such as `NUMBER(10,2)`. Throws Refusal and SqlError.
 */
export function readTypeText(source: SourceText, kind: WarehouseKind): SqlType {
  const cursor = cursorOver(source, tokenize(source, kind), kind);
  const type = parseAnyType(cursor);
  cursor.expectEndOfDefinition();
  return type;
}
