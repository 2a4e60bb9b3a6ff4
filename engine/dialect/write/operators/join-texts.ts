import type { SqlType } from '../../../core/sql-type.ts';
import { FUNCTIONS, LARGE_TEXT } from '../../../duckdb/values/functions.ts';
import { expectText } from '../casts/convert.ts';
import { TEXT, type TextPart, type Typed } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';

/**
 * The maximum size of a text in the warehouse, in bytes. Without this limit, a single value could use up all memory
 * of the machine.
 */
export function maxTextBytes(writing: Writing): number {
  return isOne(writing) ? 16_777_216 : 65_535;
}

/** A part that may be longer is measured. */
const SHORT_PART = 1000;
/** More than the text of any value that is not text or semi-structured. */
const OTHER_VALUE = 100;

/**
 * Joins values to one text. The result is NULL if one of the values is NULL. Texts that may be large are joined in
 * pairs, because DuckDB keeps each intermediate text. Their size is checked first, because DuckDB's memory limit does
 * not count texts while it joins them.
 */
export function joinTexts(values: readonly Typed[], at: number, writing: Writing): Typed {
  const parts = values.flatMap((value) => value.parts ?? [partOf(value, at, writing)]);
  const result = { type: joinedType(values, writing), parts };
  const mayBeLarge = parts.some(({ bytes }) => bytes === undefined || bytes > SHORT_PART);
  const most = parts.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (!mayBeLarge && most <= LARGE_TEXT) return { ...result, sql: inPairs(parts) };
  // DuckDB computes a size that is the same in all rows once: all values that may differ are measured.
  const measured = parts.filter(
    ({ bytes, isFixed }) => bytes === undefined || bytes > SHORT_PART || !isFixed,
  );
  const rest = parts.reduce(
    (sum, { bytes = 0, isFixed }) => sum + (isFixed && bytes <= SHORT_PART ? bytes : 0),
    0,
  );
  const sum = (names: readonly string[]) => [...names.map((name) => `strlen(${name})`), rest].join(' + ');
  const checked = (size: string, sql: string) => {
    const copies = Math.ceil(Math.log2(parts.length)) + 1;
    const check = `${FUNCTIONS.checkSize}(CAST(${size} AS HUGEINT), ${maxTextBytes(writing)}, ${copies})`;
    return `CASE WHEN CASE WHEN ${size} > ${LARGE_TEXT} THEN ${check} ELSE 0 END = 0 THEN ${sql} END`;
  };
  if (isComputedOnce(measured, writing)) return { ...result, sql: joinedOnce(parts, measured, sum, checked) };
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('no text');
  const begin = { ...first, sql: checked(sum(measured.map(({ sql }) => sql)), first.sql) };
  return { ...result, sql: inPairs([begin, ...others]) };
}

/**
 * In `WAREHOUSE_ONE`, the result has the sum of the lengths. The length of a value that is not a text is not known.
 */
function joinedType(values: readonly Typed[], writing: Writing): SqlType {
  const length = values.reduce<number | undefined>((sum, { type }) => {
    const more = type.name === 'VARCHAR' ? type.length : undefined;
    return sum === undefined || more === undefined ? undefined : sum + more;
  }, 0);
  return isOne(writing) && length !== undefined && length <= maxTextBytes(writing)
    ? { name: 'VARCHAR', length }
    : TEXT;
}

/** Longer expressions are not written twice. */
const LONG_SQL = 500;

/** Whether the parts must not be written twice. DuckDB's lambdas know no subqueries, and no columns of a query around. */
function isComputedOnce(parts: readonly TextPart[], writing: Writing): boolean {
  const sql = parts.map((part) => part.sql).join(' ');
  if (sql.includes('nextval(')) return true;
  return sql.length > LONG_SQL && writing.names.outer === undefined && !/\bSELECT\b/.test(sql);
}

/** A lambda names the values of the measured parts. */
function joinedOnce(
  parts: readonly TextPart[],
  measured: readonly TextPart[],
  sum: (names: readonly string[]) => string,
  checked: (size: string, sql: string) => string,
): string {
  const names = new Map(measured.map((part, index) => [part, `part_${index}`]));
  const inner = parts.map((part) => {
    const name = names.get(part);
    return name === undefined ? part : { ...part, sql: `parts.${name}` };
  });
  const struct = measured.map((part) => `${names.get(part)} := ${part.sql}`).join(', ');
  const size = sum([...names.values()].map((name) => `parts.${name}`));
  return `list_transform([struct_pack(${struct})], lambda parts: ${checked(size, inPairs(inner))})[1]`;
}

function partOf(value: Typed, at: number, writing: Writing): TextPart {
  const { sql } = expectText(value, at, writing);
  if (value.text !== undefined) return { sql, bytes: Buffer.byteLength(value.text), isFixed: true };
  if (value.type.name === 'VARIANT') return { sql, bytes: undefined };
  if (value.type.name !== 'VARCHAR') return { sql, bytes: OTHER_VALUE };
  const { length } = value.type;
  return { sql, bytes: length === undefined ? undefined : isOne(writing) ? 4 * length : length };
}

function inPairs(parts: readonly TextPart[]): string {
  const [first] = parts;
  if (first === undefined) throw new Error('no text');
  if (parts.length === 1) return first.sql;
  const half = Math.ceil(parts.length / 2);
  return `(${inPairs(parts.slice(0, half))} || ${inPairs(parts.slice(half))})`;
}
