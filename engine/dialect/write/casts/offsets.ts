import type { SqlType } from '../../../core/sql-type.ts';
import { type Typed, UTC_MOMENT } from '../sql/typed.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

/**
 * Marks a timestamp as having the time zone offset 0, if it was converted from a text without an offset or with the
 * offset 0.
 */
export function withOffsetOf({ text }: Typed, converted: Typed, writing: Writing): Typed {
  const hasOffset =
    text === undefined || /[+-](?!00(?::?00)?$)\d{2}(?::?\d{2})?$/.test(text.replace(/^[\d-]+/, ''));
  return converted.type.name === 'TIMESTAMP_TZ' && !hasOffset ? inUtc(converted, writing) : converted;
}

export function inUtc(value: Typed, writing: Writing): Typed {
  if (!isOne(writing)) return value;
  const type: SqlType = value.type.name === 'TIMESTAMP_TZ' ? { ...value.type, isUtc: true } : UTC_MOMENT;
  return { ...value, type };
}

/**
 * Checks that the date and time of a value are certain. In `WAREHOUSE_ONE`, the date and time of a TIMESTAMP_TZ
 * depend on its time zone offset, which the engine does not keep.
 */
export function withKnownOffset(value: Typed, at: number, writing: Writing): Typed {
  const { type } = value;
  if (!isOne(writing) || type.name !== 'TIMESTAMP_TZ' || type.isUtc) return value;
  const hint =
    "the engine does not keep the offset; CONVERT_TIMEZONE('UTC', …) gives the date and time in UTC";
  throw refusal('an expression that depends on the time zone offset of a TIMESTAMP_TZ', at, writing, hint);
}
