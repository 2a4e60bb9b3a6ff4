import type { SqlType } from '../../../core/sql-type.ts';
import { guarded } from '../casts/checked-cast.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { asText, cast } from '../casts/convert.ts';
import { type FormatForms, formatForms } from '../casts/format-forms.ts';
import { formatOf, momentOf } from '../casts/formats.ts';
import { findUnit } from '../operators/units.ts';
import { digitsOf, isDateLike, quoteText, type Typed } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';
import { type FunctionRule, type TypedCall, integer } from './rule.ts';

/** Translates TO_DATE, TO_TIMESTAMP and their TRY forms. */
export function toDate(type: SqlType, isTry = false): FunctionRule {
  return {
    arguments: [1, 2],
    write: (call) => {
      const [value, format] = call.values;
      if (value === undefined) return undefined;
      if (format) return parsed(call, value, format, type, isTry);
      if (!isOne(call.writing)) return undefined;
      const digits = digitsOf(value.type);
      if (digits && type.name === 'TIMESTAMP' && digits.scale === 0)
        return {
          sql: `make_timestamp(${integer(call, 0, findUnit('second', call.writing)?.most)} * 1000000)`,
          type,
        };
      return digits ? undefined : cast(value, type, call.at, call.writing, isTry);
    },
  };
}

/** A text in a format. DuckDB's functions also read spaces around it, `epoch` and years of one digit. */
function parsed(
  call: TypedCall,
  value: Typed,
  format: Typed,
  type: SqlType,
  isTry: boolean,
): Typed | undefined {
  const duck = format.text === undefined ? undefined : formatOf(format.text, call.writing, 'read');
  const forms = duck === undefined ? undefined : formatForms(duck);
  if (duck === undefined || forms === undefined || isDateLike(value.type)) return undefined;
  const name = type.name.toLowerCase();
  const formatText = quoteText(format.text ?? '');
  const written = asText(value, call.at, call.writing).sql;
  const sql = computedOnce(written, call.writing, (text) =>
    guarded(text, {
      casts: [
        [forms.plain, momentSql(text, { duck, forms, formatText, type, isTry, writing: call.writing })],
      ],
      unsure: forms.unsure,
      isTry,
      refused: [
        `Millrace does not support the ${name} text '`,
        `'; write it exactly as the format ${formatText}`,
      ],
      fault: ['Could not parse string "', `" according to format specifier "${duck}"`],
    }),
  );
  return { sql, type };
}

interface Parsing {
  readonly duck: string;
  readonly forms: FormatForms;
  /** The format as the user wrote it, quoted. */
  readonly formatText: string;
  readonly type: SqlType;
  readonly isTry: boolean;
  readonly writing: Writing;
}

/**
 * The value of a text that has the form. Refuses a part that is out of range, which `WAREHOUSE_TWO` carries over, and
 * a name that is not the date's day of the week.
 */
function momentSql(text: string, { duck, forms, formatText, type, isTry, writing }: Parsing): string {
  const refuse = (reason: string) =>
    `error('Millrace does not support the ${type.name.toLowerCase()} text ''' || ${text} || ${quoteText(`' in the format ${formatText}: ${reason}`)})`;
  // `WAREHOUSE_TWO` reads the 31st of June as the 1st of July.
  if (!isOne(writing))
    return `coalesce(CAST(${momentOf(text, duck, true)} AS ${type.name}), ${refuse('a part of the date or time is out of range')})`;
  const moment = momentOf(text, duck, isTry);
  const value = `CAST(${moment} AS ${type.name})`;
  if (forms.weekday === undefined) return value;
  const weekday = `regexp_extract(${text}, ${quoteText(forms.weekday)}, 1)`;
  const isOther = `lower(strftime(${moment}, '%a')) <> lower(${weekday})`;
  return `CASE WHEN ${isOther} THEN ${refuse('the date is not on this day of the week')} ELSE ${value} END`;
}
