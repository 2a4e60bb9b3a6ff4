import type { SqlType } from '../../../core/sql-type.ts';
import { textForms } from '../../../core/text-forms.ts';
import { guarded, textFault } from './checked-cast.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { cast } from './convert.ts';
import {
  decimal,
  digitsOf,
  duckType,
  FLOAT,
  isNumeric,
  quoteText,
  type Typed,
  typeText,
  WHOLE,
} from '../sql/typed.ts';
import { variantText } from './variant.ts';
import { isOne, refusal, type Writing } from '../sql/writing.ts';

const LITERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Converts a value to a number where the warehouse expects a number. This is the only place in which a text becomes a
 * number without a cast, and only in `WAREHOUSE_ONE`. `other` is the type of the other operand.
 */
export function asNumber(value: Typed, at: number, writing: Writing, other?: SqlType): Typed {
  if (isNumeric(value.type) || value.type.name === 'NULL') return value;
  const { name } = value.type;
  if (!isOne(writing) || (name !== 'VARCHAR' && name !== 'VARIANT')) {
    const hint =
      value.text === undefined
        ? 'cast it to a number'
        : 'write it without quotation marks, or cast it to a number';
    throw refusal(`${shown(value.type, writing)} where a number is expected`, at, writing, hint);
  }
  if (other?.name === 'FLOAT') return cast(value, FLOAT, at, writing);
  if (name === 'VARIANT') return numberOfText(variantText(value), OF_VARIANT, writing);
  return value.text === undefined
    ? numberOfText(value, OF_TEXT, writing)
    : numberOfLiteral(value, at, writing);
}

/** Converts a value to a FLOAT where a FLOAT is expected. `WAREHOUSE_TWO` also converts text literals here. */
export function asFloat(value: Typed, at: number, writing: Writing): Typed {
  const isText = value.type.name === 'VARCHAR' || value.type.name === 'VARIANT';
  const isConverted = isText && (isOne(writing) || value.text !== undefined);
  return cast(isConverted ? value : asNumber(value, at, writing), FLOAT, at, writing);
}

/**
 * Converts a value where a whole number is expected. A number with a fraction is refused, because it is not
 * documented what a warehouse does with it.
 */
export function wholeNumber(value: Typed, at: number, writing: Writing): Typed {
  const number = asNumber(value, at, writing);
  if (number.type.name === 'NULL' || digitsOf(number.type)?.scale === 0) return number;
  const message =
    'Millrace does not support a number with a fraction where a whole number is expected; use ROUND';
  const sql = computedOnce(
    number.sql,
    writing,
    (valueSql) =>
      `CASE WHEN ${valueSql} <> trunc(${valueSql}) THEN error(${quoteText(message)}) ELSE ${valueSql} END`,
  );
  return { sql: `CAST(${sql} AS DECIMAL(38, 0))`, type: WHOLE };
}

/** Whether a whole number is surely from `-most` to `most`. */
export function isWithin({ number, type }: Typed, most: number): boolean {
  if (number !== undefined) return Math.abs(Number(number)) <= most;
  const digits = digitsOf(type);
  return digits !== undefined && 10 ** digits.precision <= most;
}

/** The SQL of a whole number that is refused when it occurs if it is not from `-most` to `most`. `what`: what it is used for. */
export function within(value: Typed, most: number, what: string, writing: Writing): string {
  if (isWithin(value, most)) return value.sql;
  const after = quoteText(` as ${what}; at most ${most}`);
  return computedOnce(
    value.sql,
    writing,
    (sql) =>
      `CASE WHEN ${sql} NOT BETWEEN -${most} AND ${most} THEN error('Millrace does not support the number ' || ${sql} || ${after}) ELSE ${sql} END`,
  );
}

interface BesideNumber {
  readonly type: SqlType;
  /** Texts that are numbers of the type without loss. */
  readonly form: string;
  readonly hint: string;
}

/**
 * Beside a number, `WAREHOUSE_ONE` converts a text to NUMBER(18,5). What it does with more digits is not documented
 * for all operations.
 */
const OF_TEXT: BesideNumber = {
  type: decimal(18, 5),
  form: String.raw` *[+-]?(?:\d{1,13}\.?|\d{0,13}\.\d{1,5}0*) *`,
  hint: 'it has an exponent, or too many digits for NUMBER(18,5): cast it',
};
/** Beside a number, the type of semi-structured data is not documented: only its value is certain. */
const OF_VARIANT: BesideNumber = {
  type: decimal(38, 12),
  form: String.raw`-?\d{1,26}(?:\.\d{1,12})?`,
  hint: 'it has an exponent, or too many digits for NUMBER(38,12): cast it',
};

function numberOfText(value: Typed, { type, form, hint }: BesideNumber, writing: Writing): Typed {
  const sql = computedOnce(value.sql, writing, (text) => {
    const forms = textForms(type, 'WAREHOUSE_ONE');
    return guarded(text, {
      casts: [[form, `CAST(${text} AS ${duckType(type)})`]],
      unsure: [forms?.plain, forms?.scientific, forms?.unsure, 'true|false'].join('|'),
      isTry: false,
      refused: ["Millrace does not support the number text '", `' together with a number; ${hint}`],
      fault: textFault(type, value.sql),
    });
  });
  return { sql, type };
}

function numberOfLiteral(value: Typed, at: number, writing: Writing): Typed {
  const text = value.text ?? '';
  // Fails for a text that is not a number.
  cast(value, FLOAT, at, writing);
  if (!new RegExp(`^${OF_TEXT.form}$`).test(text))
    throw refusal(`the number text ${quoteText(text)} together with a number`, at, writing, OF_TEXT.hint);
  const digits = text.trim();
  const type = decimal(38, (digits.split('.')[1] ?? '').length);
  return { sql: `CAST(${quoteText(digits)} AS ${duckType(type)})`, type };
}

/**
 * Converts a text that is compared with a number. In `WAREHOUSE_TWO`, the text becomes a DECIMAL if the number is a
 * DECIMAL. For other numbers, the documentation says that the number becomes a text. Then only a test for equality
 * with the number's text has a certain result.
 */
export function besideNumber(
  value: Typed,
  other: SqlType,
  operator: string,
  at: number,
  writing: Writing,
): Typed {
  if (isOne(writing) || value.text === undefined) return asNumber(value, at, writing, other);
  const digits = digitsOf(other);
  const hint = 'write it without quotation marks, or cast it to a number';
  if (digits === undefined || (other.name !== 'NUMBER' && /[<>]=?$/.test(operator) && operator !== '<>'))
    throw refusal(`the comparison ${other.name} ${operator} text`, at, writing, hint);
  const places = value.text.split('.')[1] ?? '';
  const isSure =
    other.name === 'NUMBER'
      ? LITERAL.test(value.text) && places.length <= digits.scale
      : /^(?:0|-?[1-9]\d*)$/.test(value.text);
  if (!isSure) throw refusal(`the text ${quoteText(value.text)} together with a number`, at, writing, hint);
  return cast(value, other.name === 'NUMBER' ? decimal(38, places.length) : other, at, writing);
}

function shown(type: SqlType, writing: Writing): string {
  return typeText(type, writing.session.context.warehouse);
}
