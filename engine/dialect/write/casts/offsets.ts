import type { SqlType } from '../../../core/sql-type.ts';
import { type Typed, UTC_MOMENT } from '../sql/typed.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

/** A moment that was converted from a text without an offset, or with the offset 0. */
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
 * A value whose date and time are certain. In the first kind of warehouse, the date and time of a TIMESTAMP_TZ
 * depend on its offset, which the engine does not keep.
 */
export function withKnownOffset(value: Typed, at: number, writing: Writing): Typed {
  const { type } = value;
  if (!isOne(writing) || type.name !== 'TIMESTAMP_TZ' || type.isUtc) return value;
  const hint = "its offset is not kept; CONVERT_TIMEZONE('UTC', …) gives its date and time in UTC";
  throw refusal('what depends on the offset of a TIMESTAMP_TZ', at, writing, hint);
}
