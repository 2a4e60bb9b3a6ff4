import type { Place } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { DialectContext, TranslatedExpression } from '../core/dialect.ts';
import { createSession } from './statement/session.ts';
import { stored } from './statement/insert.ts';
import { cast, commonType } from './write/casts/convert.ts';
import { explicitCast } from './write/casts/explicit-cast.ts';
import { duckType } from './write/sql/typed.ts';
import { NO_NAMES, write, type Writing } from './write/sql/writing.ts';

/** Converts a value as INSERT and MERGE do when they store it in a column. `place` is the position for a refusal. */
export function storeValue(
  value: TranslatedExpression,
  column: Column,
  place: Place,
  context: DialectContext,
): string {
  return stored(value, column, 0, writingAt(place, context));
}

/**
 * Converts a value or a text literal with an explicit cast or TRY_CAST. The result has exactly this type in DuckDB.
 * `place` may be a function, which is called only for a refusal, because finding the positions of many values takes
 * time.
 */
export function castValue(
  value: TranslatedExpression | string,
  type: SqlType,
  place: Place | (() => Place),
  context: DialectContext,
  isTry = false,
): TranslatedExpression {
  const writing = writingAt(place, context);
  const typed = typeof value === 'string' ? write({ kind: 'text', value, at: 0 }, writing) : value;
  const { sql } = isTry
    ? cast(typed, type, 0, writing, true)
    : explicitCast(typed, type, 0, writing, { isOfTable: typeof value !== 'string' });
  return { sql: `CAST(${sql} AS ${duckType(type)})`, type };
}

/** The type of a column that contains values of all these types, determined in the same way as for UNION. */
export function commonTypeOf(types: readonly SqlType[], place: Place, context: DialectContext): SqlType {
  return commonType(
    types.map((type) => ({ sql: '', type })),
    0,
    writingAt(place, context),
  );
}

function writingAt(place: Place | (() => Place), context: DialectContext): Writing {
  const placeOf = typeof place === 'function' ? place : () => place;
  const session = createSession({ text: '', placeOf }, context);
  return { session, names: NO_NAMES, commonTables: new Map() };
}
