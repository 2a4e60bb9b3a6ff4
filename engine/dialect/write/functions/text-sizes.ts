import { FUNCTIONS, LARGE_TEXT } from '../../../duckdb/values/functions.ts';
import { maxTextBytes } from '../operators/join-texts.ts';
import { type TypedCall, text } from './rule.ts';

/** 0, or an error where a text of this size is too long, or where many of them do not fit into memory. */
function sizeCheck(call: TypedCall, size: string): string {
  return `CAST(${FUNCTIONS.checkSize}(CAST(${size} AS HUGEINT), ${maxTextBytes(call.writing)}, 1) AS BIGINT)`;
}

/** A number of characters or repetitions, or an error where the text would be too long. */
export function bounded(call: TypedCall, count: string, size: string): string {
  // Inside of the number: the function itself must never see it, not even while the statement is optimized.
  return `(${count}) + CASE WHEN ${size} > ${LARGE_TEXT} THEN ${sizeCheck(call, size)} ELSE 0 END`;
}

/**
 * What `result` makes of the text arguments, which are evaluated once, or an error where its size is too large. They are
 * passed in because DuckDB allows no subquery in a lambda.
 */
export function checked(call: TypedCall, size: string, result: string): string {
  const isChecked = `CASE WHEN ${size} > ${LARGE_TEXT} THEN ${sizeCheck(call, size)} ELSE 0 END`;
  const members = [0, 1, 2].map(
    (index) => `a${index}: ${index === 2 ? replacementText(call) : text(call, index)}`,
  );
  return `list_transform([{${members.join(', ')}}], lambda given: CASE WHEN ${isChecked} = 0 THEN ${result} END)[1]`;
}

/** The text that replaces another one. */
export function replacementText(call: TypedCall): string {
  return call.values.length > 2 ? text(call, 2) : "''";
}
