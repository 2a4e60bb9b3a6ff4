import type { SqlType } from '../../../core/sql-type.ts';
import {
  EXPONENT_DIGITS,
  formOf,
  textForms,
  type TextForm,
  type TextForms,
} from '../../../core/text-forms.ts';
import { reasonOf } from '../../../duckdb/connection/reason.ts';
import { columnOf, computedOnce } from '../sql/computed-once.ts';
import { formsOfSuper, superRefused } from './super.ts';
import { momentOfDigits, momentSql } from './moment-of-digits.ts';
import { digitsOf, duckType, isDateLike, isNumeric, quoteText, type Typed } from '../sql/typed.ts';
import { refusal, sqlError, type Writing } from '../sql/writing.ts';

export interface CheckedCastOptions {
  /** Whether a text that the warehouse refuses becomes NULL instead of an error. */
  readonly isTry?: boolean;
  /**
   * Whether the text is a scalar inside a semi-structured value. Its digits are then not read as the time since the
   * epoch.
   */
  readonly isOfVariant?: boolean;
}

/**
 * Casts a text to a number, a date or a time, in the same way for literals and columns. DuckDB accepts more texts
 * than a warehouse does, so only texts in a known form reach DuckDB's cast. A text whose meaning is uncertain is
 * refused, even by TRY_CAST. Undefined for a type whose texts DuckDB reads in the same way as the warehouse.
 */
export function checkedCast(
  value: Typed,
  type: SqlType,
  at: number,
  writing: Writing,
  { isTry = false, isOfVariant = false }: CheckedCastOptions = {},
): Typed | undefined {
  const kind = writing.session.context.warehouse;
  const allForms = textForms(type, kind);
  if (allForms === undefined) return undefined;
  const { epoch, ...others } = allForms;
  const isSuper = isOfVariant && kind === 'WAREHOUSE_TWO';
  const forms = isSuper
    ? formsOfSuper(others, type)
    : isOfVariant
      ? ofVariant(others, type, isTry)
      : epoch === undefined
        ? others
        : { ...others, epoch };
  if (value.text !== undefined)
    return { sql: ofLiteral(value.text, { forms, type, at, writing, isTry }), type };
  const sql = computedOnce(value.sql, writing, (text) =>
    ofColumn(text, {
      forms,
      type,
      isTry,
      column: columnOf(value.sql),
      refused: isSuper ? superRefused(type) : refusedText(type),
    }),
  );
  return { sql, type };
}

/** A JSON boolean may be the number 1 or 0. */
function ofVariant(forms: TextForms, type: SqlType, isTry: boolean): TextForms {
  return isTry || !isNumeric(type) ? forms : { ...forms, unsure: `${forms.unsure}|true|false` };
}

interface Target {
  readonly forms: TextForms;
  readonly type: SqlType;
  readonly isTry: boolean;
}

function ofLiteral(
  text: string,
  { forms, type, at, writing, isTry }: Target & { readonly at: number; readonly writing: Writing },
): string {
  const form = formOf(text, forms);
  const moment = form === 'epoch' ? momentOfDigits(text) : undefined;
  if (moment !== undefined) return plainCast(quoteText(moment), type, isTry);
  if (form === 'unsure' || form === 'epoch')
    throw refusal(`the ${whatOf(type)} text ${quoteText(text)}`, at, writing, hintOf(type));
  if (form !== undefined) return CASTS[form](quoteText(text), type, isTry);
  if (isTry) return `CAST(NULL AS ${duckType(type)})`;
  throw sqlError(
    reasonOf(`${notOf(type)[0]}${text}${notOf(type)[1]}`, writing.session.context.warehouse),
    at,
    writing,
  );
}

interface ColumnTarget {
  readonly column: string | undefined;
  readonly refused: Message;
}

function refusedText(type: SqlType): Message {
  return [`Millrace does not support the ${whatOf(type)} text '`, `'; ${hintOf(type)}`];
}

function ofColumn(text: string, { forms, type, isTry, column, refused }: Target & ColumnTarget): string {
  const casts = (['plain', 'scientific', 'spaced', 'epoch'] as const).flatMap(
    (form): readonly (readonly [string, string])[] => {
      const source = forms[form];
      return source === undefined ? [] : [[source, CASTS[form](text, type, isTry)]];
    },
  );
  return guarded(text, {
    casts,
    unsure: forms.unsure,
    isTry,
    refused,
    fault: faultOf(type, column),
  });
}

/** The parts of DuckDB's message before and after a text that is not a value of the type. */
export function textFault(type: SqlType, sql: string): Message {
  return faultOf(type, columnOf(sql));
}

function faultOf(type: SqlType, column: string | undefined): Message {
  const [before, after] = notOf(type);
  const from = column === undefined || isMoment(type) ? '' : ` when casting from source column ${column}`;
  return [before, `${after}${from}`];
}

type Message = readonly [before: string, after: string];

interface Guard {
  /** The value of a text for each form that it may have. */
  readonly casts: readonly (readonly [form: string, value: string])[];
  readonly unsure: string;
  readonly isTry: boolean;
  /** The message about a text whose meaning is not certain: its words before and after the text. */
  readonly refused: Message;
  /** The message about a text that has none of the forms. */
  readonly fault: Message;
}

/** The SQL that casts a text if it has one of the forms, and refuses it if its meaning is uncertain. */
export function guarded(text: string, { casts, unsure, isTry, refused, fault }: Guard): string {
  const has = (form: string) => `regexp_full_match(${text}, ${quoteText(form)})`;
  const message = ([before, after]: Message) => `${quoteText(before)} || ${text} || ${quoteText(after)}`;
  const branches = casts.map(([form, value]) => `WHEN ${has(form)} THEN ${value}`).join(' ');
  const other = isTry
    ? `WHEN ${has(unsure)} THEN error(${message(refused)})`
    : `WHEN ${text} IS NOT NULL THEN error(CASE WHEN ${has(unsure)} THEN ${message(refused)} ELSE ${message(fault)} END)`;
  return `CASE ${branches} ${other} END`;
}

/** How each form is cast. */
const CASTS: Readonly<Record<Exclude<TextForm, 'unsure'>, typeof plainCast>> = {
  plain: plainCast,
  scientific: (text, type, isTry) => {
    const number = `TRY_CAST(${withoutExponent(text)} AS ${duckType(type)})`;
    const [before, after] = notOf(type);
    return isTry
      ? number
      : `coalesce(${number}, error(${quoteText(before)} || ${text} || ${quoteText(after)}))`;
  },
  spaced: (text, type, isTry) => plainCast(`replace(replace(${text}, ' +', '+'), ' -', '-')`, type, isTry),
  epoch: (text, type) => `CAST(${momentSql(`CAST(${text} AS BIGINT)`)} AS ${duckType(type)})`,
};

/** The number of the text without an exponent: zeros are added, and the point is moved among them. */
function withoutExponent(text: string): string {
  const part = (form: string) => `regexp_extract(${text}, '${form}', 1)`;
  const count = 10 ** EXPONENT_DIGITS;
  const zeros = `repeat('0', ${count})`;
  const [whole, fraction] = [part(String.raw`([0-9]*)[.eE]`), part(String.raw`\.([0-9]*)`)];
  const digits = `(${zeros} || ${whole} || ${fraction} || ${zeros})`;
  const point = `(${count} + length(${whole}) + CAST(${part('[eE]([+-]?[0-9]+)')} AS INTEGER))`;
  return `(${part('([+-]?)[0-9.]')} || left(${digits}, ${point}) || '.' || substr(${digits}, ${point} + 1))`;
}

/**
 * The largest number of digits of the decimals that DuckDB keeps in 64 bits. It reads larger ones about a hundred times
 * more slowly.
 */
const SMALL = 18;

function plainCast(text: string, type: SqlType, isTry: boolean): string {
  const word = isTry ? 'TRY_CAST' : 'CAST';
  const duck = duckType(type);
  const digits = digitsOf(type);
  if (type.name === 'BOOLEAN') return `(lower(${text}) IN ('true', 't', 'yes', 'y', 'on', '1'))`;
  if (type.name !== 'NUMBER' || digits === undefined || digits.precision <= SMALL || digits.scale > SMALL)
    return `${word}(${text} AS ${duck})`;
  const small = `TRY_CAST(${text} AS DECIMAL(${SMALL}, ${digits.scale}))`;
  return `coalesce(CAST(${small} AS ${duck}), ${word}(${text} AS ${duck}))`;
}

function whatOf(type: SqlType): string {
  if (isNumeric(type)) return 'number';
  if (type.name === 'BOOLEAN') return 'boolean';
  return type.name === 'DATE' ? 'date' : type.name === 'TIME' ? 'time' : 'timestamp';
}

function hintOf(type: SqlType): string {
  if (isNumeric(type)) return 'write digits, optionally with a sign and a decimal point';
  if (type.name === 'BOOLEAN') return 'write true or false';
  return type.name === 'TIME' ? 'write HH:MI:SS' : 'write YYYY-MM-DD or give a format';
}

function isMoment(type: SqlType): boolean {
  return isDateLike(type) || type.name === 'TIME';
}

/** The words before and after the text in DuckDB's message about it. */
function notOf(type: SqlType): readonly [string, string] {
  if (isNumeric(type) || type.name === 'BOOLEAN')
    return ['Could not convert string "', `" to ${duckType(type).replaceAll(' ', '')}`];
  return [`invalid ${whatOf(type)} field format: "`, '", expected format is (…)'];
}
