import type { SqlType } from '../../core/sql-type.ts';
import { formOf, textForms, type TextForm, type TextForms } from '../../core/text-forms.ts';
import { reasonOf } from '../../duckdb/reason.ts';
import { columnOf, computedOnce } from './computed-once.ts';
import { momentOfDigits, momentSql } from './moment-of-digits.ts';
import { digitsOf, duckType, quoteText, type Typed } from './typed.ts';
import { refusal, sqlError, type Writing } from './writing.ts';

export interface CheckedCastOptions {
  /** NULL for a text that the warehouse refuses. */
  readonly isTry?: boolean;
  /** The text is a scalar of a semi-structured value: its digits are no time since the epoch. */
  readonly isOfVariant?: boolean;
}

/**
 * A cast of text to a number, a date or a time, the same for literals and for columns. DuckDB reads more texts than a
 * warehouse: only texts in a form that is known reach its cast, and a text whose meaning is not certain is refused,
 * also by TRY_CAST. Undefined for types whose texts DuckDB reads as the warehouse does.
 */
export function checkedCast(
  value: Typed,
  type: SqlType,
  at: number,
  writing: Writing,
  { isTry = false, isOfVariant = false }: CheckedCastOptions = {},
): Typed | undefined {
  const known = textForms(type, writing.session.context.warehouse);
  if (known === undefined) return undefined;
  const { epoch, ...others } = known;
  const forms = isOfVariant || epoch === undefined ? others : { ...others, epoch };
  if (value.text !== undefined)
    return { sql: ofLiteral(value.text, { forms, type, at, writing, isTry }), type };
  const sql = computedOnce(value.sql, writing, (text) =>
    ofColumn(text, { forms, type, isTry, column: columnOf(value.sql) }),
  );
  return { sql, type };
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

function ofColumn(
  text: string,
  { forms, type, isTry, column }: Target & { readonly column: string | undefined },
): string {
  const has = (form: string) => `regexp_full_match(${text}, ${quoteText(form)})`;
  const casts = (['plain', 'spaced', 'epoch'] as const).flatMap((form) => {
    const source = forms[form];
    return source === undefined ? [] : [`WHEN ${has(source)} THEN ${CASTS[form](text, type, isTry)}`];
  });
  const unsure = joined(`Millrace does not support the ${whatOf(type)} text '`, text, `'; ${hintOf(type)}`);
  const [before, after] = notOf(type);
  const from = column === undefined ? '' : ` when casting from source column ${column}`;
  const fault = isTry
    ? `WHEN ${has(forms.unsure)} THEN error(${unsure})`
    : `WHEN ${text} IS NOT NULL THEN error(CASE WHEN ${has(forms.unsure)} THEN ${unsure} ELSE ${joined(before, text, `${after}${isNumber(type) ? from : ''}`)} END)`;
  return `CASE ${casts.join(' ')} ${fault} END`;
}

function joined(before: string, text: string, after: string): string {
  return `${quoteText(before)} || ${text} || ${quoteText(after)}`;
}

/** How each form is cast. */
const CASTS: Readonly<Record<Exclude<TextForm, 'unsure'>, typeof plainCast>> = {
  plain: plainCast,
  spaced: (text, type, isTry) => plainCast(`replace(replace(${text}, ' +', '+'), ' -', '-')`, type, isTry),
  epoch: (text, type) => `CAST(${momentSql(`CAST(${text} AS BIGINT)`)} AS ${duckType(type)})`,
};

/** The digits of the decimals that DuckDB keeps in 64 bits. It reads larger ones some hundred times more slowly. */
const SMALL = 18;

function plainCast(text: string, type: SqlType, isTry: boolean): string {
  const word = isTry ? 'TRY_CAST' : 'CAST';
  const duck = duckType(type);
  const digits = digitsOf(type);
  if (type.name !== 'NUMBER' || digits === undefined || digits.precision <= SMALL || digits.scale > SMALL)
    return `${word}(${text} AS ${duck})`;
  const small = `TRY_CAST(${text} AS DECIMAL(${SMALL}, ${digits.scale}))`;
  return `coalesce(CAST(${small} AS ${duck}), ${word}(${text} AS ${duck}))`;
}

function isNumber(type: SqlType): boolean {
  return digitsOf(type) !== undefined || type.name === 'FLOAT';
}

function whatOf(type: SqlType): string {
  if (isNumber(type)) return 'number';
  return type.name === 'DATE' ? 'date' : type.name === 'TIME' ? 'time' : 'timestamp';
}

function hintOf(type: SqlType): string {
  if (isNumber(type)) return 'write digits without spaces around them';
  return type.name === 'TIME' ? 'write HH:MI:SS' : 'write YYYY-MM-DD or give a format';
}

/** What is before and after the text in DuckDB's message about it. */
function notOf(type: SqlType): readonly [string, string] {
  if (isNumber(type)) return ['Could not convert string "', `" to ${duckType(type).replaceAll(' ', '')}`];
  return [`invalid ${whatOf(type)} field format: "`, '", expected format is (…)'];
}
