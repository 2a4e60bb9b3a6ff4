import type { SqlType } from '../../../core/sql-type.ts';
import { cutToBytes, FUNCTIONS } from '../../../duckdb/values/functions.ts';
import { checkedCast, type CheckedCastOptions } from './checked-cast.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { numberText } from './number-text.ts';
import { floatText, numberOfFloat } from './floats.ts';
import { inUtc, withKnownOffset, withOffsetOf } from './offsets.ts';
import {
  BOOLEAN,
  decimal,
  digitsOf,
  duckType,
  FLOAT,
  isDateLike,
  isNumeric,
  mayHaveFloat,
  quoteText,
  TEXT,
  type Typed,
  typeText,
  VARIANT,
  VARIANT_WITH_FLOAT,
} from '../sql/typed.ts';
import { castToShape, storedShape } from './shapes.ts';
import { castableText, superAsText } from './super.ts';
import { shownText, toVariant, variantMoment, variantText, withoutFloat } from './variant.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

/** Casts a value in the way in which the warehouse does. */
export function cast(value: Typed, type: SqlType, at: number, writing: Writing, isTry = false): Typed {
  const word = isTry ? 'TRY_CAST' : 'CAST';
  const from = value.type.name;
  const sql = (inner: string): Typed => ({ sql: `${word}(${inner} AS ${duckType(type)})`, type });
  if (from === 'NULL') return { sql: `CAST(NULL AS ${duckType(type)})`, type };
  if (type.name === 'VARIANT')
    return type.shape === undefined ? toVariant(value, at, writing) : castToShape(value, type, at, writing);
  if (from === 'VARIANT' && type.name !== 'VARCHAR') {
    if (!isOne(writing))
      return castText(castableText(value), type, at, writing, { isTry: true, isOfVariant: true });
    const text = isDateLike(type) ? variantMoment(value) : variantText(value);
    return castText(text, type, at, writing, { isTry, isOfVariant: true });
  }
  if (type.name === 'VARCHAR') return castToText(value, type, at, writing);
  if (from === 'VARCHAR') return withOffsetOf(value, castText(value, type, at, writing, { isTry }), writing);
  if (isNumeric(type)) return castToNumber(value, type, at, writing, isTry);
  if (type.name === 'TIMESTAMP_TZ' && from === type.name)
    return { ...value, type: value.type.isUtc ? { ...type, isUtc: true } : type };
  if (type.name === from) return { ...value, type };
  if (isDateLike(type) && isDateLike(value.type)) {
    const moment = withKnownOffset(value, at, writing);
    return type.name === 'TIMESTAMP_TZ' ? inUtc(sql(moment.sql), writing) : sql(moment.sql);
  }
  if (type.name === 'TIME' && from === 'TIMESTAMP') return sql(value.sql);
  if (type.name === 'BOOLEAN' && isNumeric(value.type) && isTruthValue(value.type, writing))
    return { sql: `(${value.sql} <> 0)`, type };
  throw refusal(`a cast from ${typeText(value.type)} to ${typeText(type)}`, at, writing);
}

/**
 * Translates TRY_CAST. In `WAREHOUSE_ONE`, TRY_CAST only accepts texts. A text that is too long becomes NULL, whereas
 * CAST shortens it.
 */
export function tryCast(value: Typed, type: SqlType, at: number, writing: Writing): Typed {
  const from = value.type.name;
  if (!isOne(writing) || from === 'NULL') return cast(value, type, at, writing, true);
  if (from !== 'VARCHAR')
    throw refusal(`TRY_CAST of ${typeText(value.type)}`, at, writing, 'cast it to VARCHAR first');
  if (type.name !== 'VARCHAR' || type.length === undefined) return cast(value, type, at, writing, true);
  const { length } = type;
  const sql = computedOnce(
    value.sql,
    writing,
    (text) => `CASE WHEN length(${text}) <= ${length} THEN ${text} END`,
  );
  return { sql, type };
}

/** `WAREHOUSE_TWO` converts between whole numbers and BOOLEAN only. */
function isTruthValue(type: SqlType, writing: Writing): boolean {
  return isOne(writing) || (type.name !== 'NUMBER' && type.name !== 'FLOAT');
}

function castToNumber(value: Typed, type: SqlType, at: number, writing: Writing, isTry: boolean): Typed {
  const digits = digitsOf(type);
  if (digitsOf(value.type) || (value.type.name === 'BOOLEAN' && isTruthValue(type, writing)))
    return { sql: `${isTry ? 'TRY_CAST' : 'CAST'}(${value.sql} AS ${duckType(type)})`, type };
  if (value.type.name !== 'FLOAT')
    throw refusal(`a cast from ${typeText(value.type)} to ${typeText(type)}`, at, writing);
  return digits === undefined ? { ...value, type } : numberOfFloat(value, type, writing, isTry);
}

function castText(
  value: Typed,
  type: SqlType,
  at: number,
  writing: Writing,
  options: CheckedCastOptions,
): Typed {
  const text = type.name === 'BOOLEAN' && options.isOfVariant ? notNumber(value) : value;
  const checked = checkedCast(text, type, at, writing, options);
  if (checked !== undefined) return checked;
  throw refusal(`a cast from text to ${typeText(type)}`, at, writing);
}

/** The text of a semi-structured value, for a BOOLEAN. Refuses numbers other than 0 and 1. */
function notNumber({ sql }: Typed): Typed {
  const isNumber = `regexp_full_match(${sql}, '-?[0-9.]+(?:[eE][+-]?[0-9]+)?') AND ${sql} NOT IN ('0', '1')`;
  const message =
    'Millrace does not support the conversion of a number in semi-structured data to BOOLEAN; compare the number with 0';
  return { sql: `CASE WHEN ${isNumber} THEN error('${message}') ELSE ${sql} END`, type: TEXT };
}

function castToText(value: Typed, type: SqlType, at: number, writing: Writing): Typed {
  const text = asText(value, at, writing);
  if (value.type.name === 'VARIANT' && !isOne(writing))
    return { sql: superAsText(value, text.sql, type, writing), type };
  if (type.name !== 'VARCHAR' || type.length === undefined) return { ...text, type };
  if (isOne(writing)) return { sql: `left(${text.sql}, ${type.length})`, type };
  // The other kind of warehouse counts bytes. A text is cut, any other value must fit.
  const name = value.type.name === 'VARCHAR' ? FUNCTIONS.cutToBytes : FUNCTIONS.fitIntoBytes;
  if (value.text === undefined) return { sql: `${name}(${text.sql}, ${type.length})`, type };
  const cut = cutToBytes(value.text, type.length);
  if (cut !== undefined) return { sql: quoteText(cut), type, text: cut };
  const hint = 'cast to VARCHAR without a length';
  throw refusal(`a cast to ${typeText(type)} that would cut a character in the middle`, at, writing, hint);
}

/** Converts any value to the text that the warehouse shows for it. */
export function asText(value: Typed, at: number, writing: Writing): Typed {
  const text = (sql: string): Typed => ({ sql, type: TEXT });
  switch (value.type.name) {
    case 'VARCHAR':
      return value;
    case 'NULL':
      return text('CAST(NULL AS VARCHAR)');
    case 'VARIANT':
      return shownText(withoutFloat(value, at, writing), writing);
    case 'FLOAT':
      return floatText(value, writing);
    case 'TIMESTAMP':
      return isOne(writing)
        ? text(`strftime(${value.sql}, '%Y-%m-%d %H:%M:%S.%g')`)
        : text(`CAST(${value.sql} AS VARCHAR)`);
    case 'TIMESTAMP_TZ':
      if (!isOne(writing)) return text(`CAST(${value.sql} AS VARCHAR)`);
      withKnownOffset(value, at, writing);
      return text(`(strftime(CAST(${value.sql} AS TIMESTAMP), '%Y-%m-%d %H:%M:%S.%g') || ' +0000')`);
    case 'BINARY':
      throw refusal('a cast from BINARY to text', at, writing);
    case 'BOOLEAN':
      if (!isOne(writing)) throw refusal('a cast from BOOLEAN to text', at, writing);
      return text(`CAST(${value.sql} AS VARCHAR)`);
    case 'NUMBER':
      return text(numberText(value.sql, value.type));
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
    case 'DATE':
      return text(`CAST(${value.sql} AS VARCHAR)`);
    case 'TIME':
      // `WAREHOUSE_ONE` shows whole seconds unless its session has another format.
      return text(
        isOne(writing) ? `left(CAST(${value.sql} AS VARCHAR), 8)` : `CAST(${value.sql} AS VARCHAR)`,
      );
  }
}

/** Converts a value to text where the warehouse expects text. */
export function expectText(value: Typed, at: number, writing: Writing): Typed {
  if (value.type.name === 'VARCHAR' || value.type.name === 'NULL' || isOne(writing))
    return asText(value, at, writing);
  throw refusal(`${typeText(value.type)} where text is expected`, at, writing, 'cast it explicitly');
}

/** Checks a value where the warehouse expects a condition. */
export function expectBoolean(value: Typed, at: number, writing: Writing): Typed {
  if (value.type.name === 'BOOLEAN' || value.type.name === 'NULL') return value;
  if (isOne(writing) && (['VARIANT', 'VARCHAR'].includes(value.type.name) || isNumeric(value.type)))
    return cast(value, BOOLEAN, at, writing);
  throw refusal(
    `${typeText(value.type)} as a condition`,
    at,
    writing,
    'compare it with a value, or cast it to BOOLEAN',
  );
}

/** Converts a value to a date or a timestamp where the warehouse expects one. */
export function expectDate(value: Typed, at: number, writing: Writing): Typed {
  if (isDateLike(value.type)) return value;
  const convertible = value.type.name === 'NULL' || value.text !== undefined || isOne(writing);
  if (convertible && ['VARCHAR', 'VARIANT', 'NULL'].includes(value.type.name))
    return cast(value, { name: 'TIMESTAMP' }, at, writing);
  throw refusal(`${typeText(value.type)} where a date is expected`, at, writing, 'cast it explicitly');
}

/** Converts a value without an explicit cast, as in the branches of CASE and the columns of INSERT. */
export function convert(value: Typed, type: SqlType, at: number, writing: Writing): Typed {
  const from = value.type.name;
  if (type.name === 'VARIANT' && type.shape !== undefined) return storedShape(value, type, at, writing);
  if (from === type.name && type.name !== 'NUMBER' && type.name !== 'VARCHAR') return value;
  if (from === 'VARCHAR' && type.name === 'VARCHAR') return { ...value, type };
  if (type.name === 'VARCHAR' && from !== 'NULL') return { ...expectText(value, at, writing), type };
  if (from === 'NUMBER' && type.name === 'NUMBER' && value.type.scale === type.scale && !value.isInteger)
    return { ...value, type };
  const isFree = isOne(writing) || from === 'NULL' || value.text !== undefined;
  const isKept = isNumeric(value.type) ? isNumeric(type) : isDateLike(value.type) && isDateLike(type);
  if (isFree || isKept) return cast(value, type, at, writing);
  throw refusal(
    `${typeText(value.type)} where ${typeText(type)} is expected`,
    at,
    writing,
    'cast it explicitly',
  );
}

/** The common type of several values that are in the same column. */
export function commonType(values: readonly Typed[], at: number, writing: Writing): SqlType {
  return values.reduce<SqlType>((type, value) => common(type, value, at, writing), { name: 'NULL' });
}

function common(left: SqlType, value: Typed, at: number, writing: Writing): SqlType {
  const right = value.type;
  if (left.name === 'NULL') return right;
  if (right.name === 'NULL') return left;
  if (left.name === 'VARIANT' || right.name === 'VARIANT')
    return mayHaveFloat(left) || mayHaveFloat(right) ? VARIANT_WITH_FLOAT : VARIANT;
  if (left.name === 'VARCHAR' && right.name === 'VARCHAR')
    return commonText(left.length, right.length, writing);
  if (isNumeric(left) && isNumeric(right)) return commonNumber(left, right);
  if (isDateLike(left) && isDateLike(right)) return commonMoment([left, right]);
  if (left.name === right.name) return left;
  throw refusal(
    `${typeText(left)} and ${typeText(right)} in one column`,
    at,
    writing,
    'cast one of them to the type of the other',
  );
}

/** `WAREHOUSE_ONE` takes the longer length; no page says what `WAREHOUSE_TWO` takes. */
function commonText(a: number | undefined, b: number | undefined, writing: Writing): SqlType {
  if (a === undefined || b === undefined || (a !== b && !isOne(writing))) return TEXT;
  return { name: 'VARCHAR', length: Math.max(a, b) };
}

/** The common type of moments. Its offset is not known if one of them has an offset that is not known. */
function commonMoment(types: readonly SqlType[]): SqlType {
  const zoned = types.filter((type) => type.name === 'TIMESTAMP_TZ');
  return (
    zoned.find((type) => !type.isUtc) ??
    zoned[0] ??
    types.find((type) => type.name === 'TIMESTAMP') ?? { name: 'DATE' }
  );
}

function commonNumber(left: SqlType, right: SqlType): SqlType {
  const a = digitsOf(left);
  const b = digitsOf(right);
  if (a === undefined || b === undefined) return FLOAT;
  if (left.name === right.name && left.name !== 'NUMBER') return left;
  if (left.name !== 'NUMBER' && right.name !== 'NUMBER') return a.precision > b.precision ? left : right;
  const scale = Math.max(a.scale, b.scale);
  return decimal(Math.max(a.precision - a.scale, b.precision - b.scale) + scale, scale);
}
