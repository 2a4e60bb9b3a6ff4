import type { SourceText } from '../../core/source-text.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import type { Token } from './tokenize.ts';
import { Cursor } from './cursor.ts';
import { parseConcatenation, parseExpression } from './expression.ts';
import { parseQuery } from './query.ts';

/** Creates a cursor over the tokens of one statement. */
export function cursorOver(source: SourceText, tokens: readonly Token[], warehouse: WarehouseKind): Cursor {
  return new Cursor(source, tokens, warehouse, {
    query: parseQuery,
    expression: parseExpression,
    operand: parseConcatenation,
  });
}
