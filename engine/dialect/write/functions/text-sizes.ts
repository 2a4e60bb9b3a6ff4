import { FUNCTIONS, LARGE_TEXT } from '../../../duckdb/values/functions.ts';
import { maxTextBytes } from '../operators/join-texts.ts';
import { isWithin, wholeNumber } from '../casts/as-number.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { quoteText, TEXT } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';
import { type FunctionRule, integer, type TypedCall, text } from './rule.ts';

/** More characters than a text can have. */
const MAX_CHARACTERS = 2 ** 31 - 1;

/**
 * A position in a text, or a number of characters or copies. In `WAREHOUSE_ONE`, a larger number means the same as
 * the largest one; `WAREHOUSE_TWO` takes an INTEGER, so a larger number is refused when it occurs.
 */
export function characters(call: TypedCall, index: number): string {
  const value = call.values[index];
  if (value === undefined || !isOne(call.writing)) return integer(call, index, MAX_CHARACTERS);
  const number = wholeNumber(value, call.at, call.writing);
  if (isWithin(number, MAX_CHARACTERS)) return number.sql;
  const nearest = computedOnce(
    number.sql,
    call.writing,
    (sql) =>
      `CASE WHEN ${sql} > ${MAX_CHARACTERS} THEN ${MAX_CHARACTERS} WHEN ${sql} < -${MAX_CHARACTERS} THEN -${MAX_CHARACTERS} ELSE ${sql} END`,
  );
  return `CAST(${nearest} AS BIGINT)`;
}

/** 0, or an error if a text of this size is too long, or if many such texts do not fit into memory. */
function sizeCheck(call: TypedCall, size: string): string {
  return `CAST(${FUNCTIONS.checkSize}(CAST(${size} AS HUGEINT), ${maxTextBytes(call.writing)}, 1) AS BIGINT)`;
}

/** A number of characters or repetitions, as SQL that fails if the resulting text would be too long. */
export function bounded(call: TypedCall, count: string, size: string): string {
  // The check is a part of the number: the function must never get a number that is too large, not even while DuckDB
  // optimizes the statement.
  return `(${count}) + CASE WHEN ${size} > ${LARGE_TEXT} THEN ${sizeCheck(call, size)} ELSE 0 END`;
}

/** The SQL of a text that fails if it is longer than a VARCHAR can be. Its function does not know the size before. */
export function fitting(sql: string, writing: Writing, message = tooLong(writing)): string {
  const most = maxTextBytes(writing);
  return computedOnce(
    sql,
    writing,
    (result) => `CASE WHEN strlen(${result}) > ${most} THEN error(${quoteText(message)}) ELSE ${result} END`,
  );
}

function tooLong(writing: Writing): string {
  return `the text would be longer than ${maxTextBytes(writing)}`;
}

/**
 * The SQL of `result`, an expression that uses the text arguments, guarded so that it fails if the result would be
 * too large. The arguments are evaluated once and passed to a lambda, because a DuckDB lambda cannot contain
 * subqueries.
 */
export function checked(call: TypedCall, size: string, result: string): string {
  const isChecked = `CASE WHEN ${size} > ${LARGE_TEXT} THEN ${sizeCheck(call, size)} ELSE 0 END`;
  const members = [0, 1, 2].map(
    (index) => `a${index}: ${index === 2 ? replacementText(call) : text(call, index)}`,
  );
  return `list_transform([{${members.join(', ')}}], lambda given: CASE WHEN ${isChecked} = 0 THEN ${result} END)[1]`;
}

/** A character may become one of more bytes. */
export const TRANSLATE: FunctionRule = {
  arguments: [3, 3],
  write: (call) => {
    const sql = `translate(${[0, 1, 2].map((index) => text(call, index)).join(', ')})`;
    return { sql: fitting(sql, call.writing), type: TEXT };
  },
};

/** The replacement text: the third argument, or an empty text if there is none. */
export function replacementText(call: TypedCall): string {
  return call.values.length > 2 ? text(call, 2) : "''";
}
