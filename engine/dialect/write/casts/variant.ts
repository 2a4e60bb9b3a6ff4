import { FUNCTIONS } from '../../../duckdb/values/functions.ts';
import { jsonTextSql } from '../../../duckdb/values/undefined-element.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { inBatches } from '../sql/in-batches.ts';
import { numberText } from './number-text.ts';
import { withKnownOffset } from './offsets.ts';
import {
  digitsOf,
  mayHaveFloat,
  quoteText,
  TEXT,
  type Typed,
  VARIANT,
  VARIANT_WITH_FLOAT,
} from '../sql/typed.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

/** The text of a semi-structured value that is neither an object nor a list. NULL for a JSON null. */
export function variantText(value: Typed): Typed {
  return { sql: `(${textOfJson(value.sql)})`, type: TEXT };
}

/** DuckDB's `->>` writes a decimal with the digits that a DOUBLE has. */
const textOfJson = (json: string): string =>
  `CASE json_type(${json}) WHEN 'DOUBLE' THEN CAST(${json} AS VARCHAR) ELSE ${json} ->> '$' END`;

/**
 * Like `variantText`, but for conversion to a date or timestamp. The warehouse would read digits as the time since
 * 1970.
 */
export function variantMoment(value: Typed): Typed {
  const { sql } = variantText(value);
  const message = quoteText(
    'Millrace does not support a number in semi-structured data as a date or timestamp; if it is the time since 1970, convert it with TO_TIMESTAMP(value::NUMBER)',
  );
  const isNumber = `regexp_full_match(${sql}, '-?\\d+')`;
  return { sql: `CASE WHEN ${isNumber} THEN error(${message}) ELSE ${sql} END`, type: TEXT };
}

/** The text of any semi-structured value. In `WAREHOUSE_ONE`, the text of an XML element is its XML. */
export function shownText(value: Typed, writing: Writing): Typed {
  const text = jsonTextSql(value.sql, textOfJson(value.sql));
  return { sql: isOne(writing) ? `coalesce(${elementText(value.sql)}, ${text})` : `(${text})`, type: TEXT };
}

/**
 * The SQL for the XML text of an element. NULL for any other semi-structured value. An element is recognised by `$`,
 * its first key.
 */
export function elementText(value: string): string {
  const json = `CAST(${value} AS VARCHAR)`;
  const xml = inBatches(json, (text) => `${FUNCTIONS.elementText}(${text})`);
  return `CASE WHEN starts_with(${json}, '{"$":') THEN ${xml} END`;
}

/** Returns semi-structured data whose text and types are certain. Refuses data that may contain a FLOAT. */
export function withoutFloat(value: Typed, at: number, writing: Writing): Typed {
  if (!mayHaveFloat(value.type)) return value;
  const hint = 'the engine does not keep the digits and the type of a FLOAT; convert it to NUMBER first';
  throw refusal('the text or type of semi-structured data that may contain a FLOAT', at, writing, hint);
}

export function toVariant(value: Typed, at: number, writing: Writing): Typed {
  if (value.type.name === 'VARIANT') return value;
  withKnownOffset(value, at, writing);
  if (value.type.name === 'NULL') return { sql: 'CAST(NULL AS JSON)', type: VARIANT };
  if (['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_TZ'].includes(value.type.name))
    return { sql: `to_json(${momentText(value, writing)})`, type: VARIANT };
  if (value.type.name === 'FLOAT')
    return { ...canonical(`to_json(${finite(value.sql)})`), type: VARIANT_WITH_FLOAT };
  const isFraction = (digitsOf(value.type)?.scale ?? 0) > 0;
  return isFraction
    ? canonical(numberText(value.sql, value.type))
    : { sql: `to_json(${value.sql})`, type: VARIANT };
}

/** The text of a date or time in semi-structured data. It loses its type, so the text must have all of its digits. */
function momentText({ sql, type }: Typed, writing: Writing): string {
  if (type.name === 'DATE') return `CAST(${sql} AS VARCHAR)`;
  const unit = type.name === 'TIME' ? 'a second' : 'a millisecond';
  const message = quoteText(`Millrace does not support a part of ${unit} in semi-structured data`);
  return computedOnce(sql, writing, (value) => {
    const moment = type.name === 'TIMESTAMP_TZ' ? `CAST(${value} AS TIMESTAMP)` : value;
    const shown = `strftime(${moment}, '%Y-%m-%d %H:%M:%S.%g')`;
    const [text, isPart] =
      type.name === 'TIME'
        ? [`left(CAST(${value} AS VARCHAR), 8)`, `microsecond(${value}) % 1000000 <> 0`]
        : [
            type.name === 'TIMESTAMP' ? shown : `(${shown} || ' +0000')`,
            `microsecond(${moment}) % 1000 <> 0`,
          ];
    return `CASE WHEN ${isPart} THEN error(${message}) ELSE ${text} END`;
  });
}

/** JSON has only finite numbers. */
function finite(float: string): string {
  const message = quoteText('Millrace does not support NaN or an infinite number in semi-structured data');
  return `CASE WHEN isfinite(${float}) OR ${float} IS NULL THEN ${float} ELSE error(${message}) END`;
}

/**
 * Converts a semi-structured value to its canonical form. Equal values then have equal texts, which comparisons,
 * groups and joins rely on.
 */
export function canonical(json: string): Typed {
  return { sql: `CAST(${FUNCTIONS.json}(CAST(${json} AS VARCHAR)) AS JSON)`, type: VARIANT };
}

/**
 * Parses a text from outside as JSON. The text may be long. With `isTry`, a text that is not valid JSON gives NULL.
 */
export function parsed(text: string, isTry: boolean): Typed {
  const name = isTry ? FUNCTIONS.tryJson : FUNCTIONS.parsedJson;
  return { sql: `CAST(${inBatches(text, (value) => `${name}(${value})`)} AS JSON)`, type: VARIANT };
}
