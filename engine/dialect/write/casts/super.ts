import type { SqlType } from '../../../core/sql-type.ts';
import { textForms, type TextForms } from '../../../core/text-forms.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { digitsOf, isNumeric, quoteText, TEXT, type Typed, typeText } from '../sql/typed.ts';
import { refusal, type Writing } from '../sql/writing.ts';
import { toVariant, variantText } from './variant.ts';

// In kind 2, a SUPER value has a type of its own. A value of another type is not equal to it, and a cast that fails gives NULL
// (`cast_super_null_on_error`). What the documentation does not say is refused when it occurs.

/** The text of a SUPER value that is cast to another type than text; NULL for a list and an object. */
export function castableText(value: Typed): Typed {
  const { sql } = variantText(value);
  return { sql: `CASE WHEN ${isNested(value.sql)} THEN NULL ELSE ${sql} END`, type: TEXT };
}

/** The forms of the texts that are cast: a number that would lose digits, and a truth value as a number, are unsure. */
export function formsOfSuper(forms: TextForms, type: SqlType): TextForms {
  const digits = digitsOf(type);
  if (digits === undefined)
    return isNumeric(type) ? { ...forms, unsure: `${forms.unsure}|true|false` } : forms;
  const { scale } = digits;
  const after = scale === 0 ? '' : String.raw`|[+-]?\.\d{1,${scale}}0*`;
  const plain = type.name === 'NUMBER' ? String.raw`[+-]?\d+\.?\d{0,${scale}}0*${after}` : forms.plain;
  const anyNumber = textForms({ name: 'NUMBER', precision: 38, scale: 0 }, 'WAREHOUSE_TWO')?.unsure ?? '';
  return { ...forms, plain, unsure: `${anyNumber}|true|false` };
}

/** The message about a text whose cast is not documented: the words before and after the text. */
export function superRefused(type: SqlType): readonly [before: string, after: string] {
  const name = typeText(type, 'WAREHOUSE_TWO');
  return [
    "Millrace does not support the value '",
    `' of a SUPER as ${name}: the documentation does not say what the cast gives`,
  ];
}

/** A SUPER value as a text; refuses what has no documented text, or is longer than the type allows. */
export function superAsText(value: Typed, text: string, type: SqlType, writing: Writing): string {
  const name = typeText(type, 'WAREHOUSE_TWO');
  const message = quoteText(
    `Millrace does not support a list or an object of a SUPER as ${name}: the documentation does not say what the cast gives`,
  );
  const shown = `CASE WHEN ${isNested(value.sql)} THEN error(${message}) ELSE ${text} END`;
  if (type.name !== 'VARCHAR' || type.length === undefined) return shown;
  const { length } = type;
  const long = quoteText(
    `Millrace does not support a SUPER value that is longer than ${name}: the documentation does not say what the cast gives`,
  );
  return computedOnce(
    shown,
    writing,
    (sql) => `CASE WHEN strlen(${sql}) > ${length} THEN error(${long}) ELSE ${sql} END`,
  );
}

/** Both sides of a comparison of a SUPER with another value, as SUPER. A JSON null is NULL. */
export function comparedWithSuper(
  left: Typed,
  right: Typed,
  at: number,
  writing: Writing,
): readonly [Typed, Typed] {
  const asSuper = (side: Typed): Typed => {
    if (side.type.name === 'VARIANT')
      return { ...side, sql: `CASE WHEN json_type(${side.sql}) <> 'NULL' THEN ${side.sql} END` };
    if (side.type.name === 'VARCHAR' || side.type.name === 'BOOLEAN') return toVariant(side, at, writing);
    throw refusal(
      `a comparison of SUPER with ${typeText(side.type, 'WAREHOUSE_TWO')}`,
      at,
      writing,
      'cast one',
    );
  };
  return [asSuper(left), asSuper(right)];
}

/** `<>` of SUPER values. Equality of different types is false; no page says that `<>` is then true. */
export function differs(left: string, right: string): string {
  const message = quoteText(
    'Millrace does not support <> of SUPER values of different types: the documentation does not say what it gives',
  );
  return `CASE WHEN ${typeOf(left)} <> ${typeOf(right)} THEN error(${message}) ELSE ${left} <> ${right} END`;
}

function isNested(json: string): string {
  return `json_type(${json}) IN ('ARRAY', 'OBJECT')`;
}

function typeOf(json: string): string {
  return `regexp_replace(json_type(${json}), '.*INT|DOUBLE', 'NUMBER')`;
}
