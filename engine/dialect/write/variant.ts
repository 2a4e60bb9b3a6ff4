import { FUNCTIONS } from '../../duckdb/functions.ts';
import { withUndefinedSql } from '../../duckdb/undefined-element.ts';
import { inBatches } from './in-batches.ts';
import { withKnownOffset } from './offsets.ts';
import { digitsOf, quoteText, TEXT, type Typed, VARIANT } from './typed.ts';
import type { Writing } from './writing.ts';

/** The text of a semi-structured value that is not an object or a list; NULL for a JSON null. */
export function variantText(value: Typed): Typed {
  return { sql: `(${value.sql} ->> '$')`, type: TEXT };
}

/** The same where a date or timestamp is wanted: the warehouse takes digits for the time since 1970. */
export function variantMoment(value: Typed): Typed {
  const { sql } = variantText(value);
  const message = quoteText(
    'Millrace does not support a number in semi-structured data as a date or timestamp (the time since 1970); convert it with TO_TIMESTAMP(value::NUMBER)',
  );
  const isNumber = `regexp_full_match(${sql}, '-?\\d+')`;
  return { sql: `CASE WHEN ${isNumber} THEN error(${message}) ELSE ${sql} END`, type: TEXT };
}

/** The text of any semi-structured value: XML of an element, which is an object with `$` as its first key. */
export function shownText(value: Typed): Typed {
  const isElement = `starts_with(CAST(${value.sql} AS VARCHAR), ${ELEMENT_START})`;
  const xml = inBatches(`CAST(${value.sql} AS VARCHAR)`, (json) => `${FUNCTIONS.shown}(${json})`);
  const text = withUndefinedSql(`(${value.sql} ->> '$')`);
  return { sql: `CASE WHEN ${isElement} THEN ${xml} ELSE ${text} END`, type: TEXT };
}

/** How the JSON of an XML element begins. */
export const ELEMENT_START = `'{"$":'`;

export function toVariant(value: Typed, at: number, writing: Writing): Typed {
  if (value.type.name === 'VARIANT') return value;
  withKnownOffset(value, at, writing);
  if (value.type.name === 'NULL') return { sql: 'CAST(NULL AS JSON)', type: VARIANT };
  if (value.type.name === 'FLOAT') return canonical(`to_json(${finite(value.sql)})`);
  const isFraction = (digitsOf(value.type)?.scale ?? 0) > 0;
  return isFraction ? canonical(`to_json(${value.sql})`) : { sql: `to_json(${value.sql})`, type: VARIANT };
}

/** JSON has no others. */
function finite(float: string): string {
  const message = quoteText('Millrace does not support NaN or an infinite number in semi-structured data');
  return `CASE WHEN isfinite(${float}) OR ${float} IS NULL THEN ${float} ELSE error(${message}) END`;
}

/**
 * A semi-structured value in its one form: all values have it, so that equal ones are equal texts in comparisons, groups
 * and joins.
 */
export function canonical(json: string): Typed {
  return { sql: `CAST(${FUNCTIONS.json}(CAST(${json} AS VARCHAR)) AS JSON)`, type: VARIANT };
}

/** The same of a text that may be long. With `isTry`, one that is not JSON is NULL. */
export function parsed(text: string, isTry: boolean): Typed {
  const name = isTry ? FUNCTIONS.tryJson : FUNCTIONS.json;
  return { sql: `CAST(${inBatches(text, (value) => `${name}(${value})`)} AS JSON)`, type: VARIANT };
}
