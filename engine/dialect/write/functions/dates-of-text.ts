import type { SqlType } from '../../../core/sql-type.ts';
import { guarded } from '../checked-cast.ts';
import { computedOnce } from '../computed-once.ts';
import { asText, cast } from '../convert.ts';
import { formatForms } from '../format-forms.ts';
import { formatOf, momentOf } from '../formats.ts';
import { digitsOf, isDateLike, quoteText, type Typed } from '../typed.ts';
import { isOne } from '../writing.ts';
import { type FunctionRule, type Given, integer } from './rule.ts';
/** TO_DATE, TO_TIMESTAMP and their TRY forms. */
export function toDate(type: SqlType, isTry = false): FunctionRule {
  return {
    arguments: [1, 2],
    write: (given) => {
      const [value, format] = given.values;
      if (value === undefined) return undefined;
      if (format) return parsed(given, value, format, type, isTry);
      if (!isOne(given.writing)) return undefined;
      const digits = digitsOf(value.type);
      if (digits && type.name === 'TIMESTAMP' && digits.scale === 0)
        return { sql: `make_timestamp(${integer(given, 0)} * 1000000)`, type };
      return digits ? undefined : cast(value, type, given.at, given.writing, isTry);
    },
  };
}

/** A text in a format. DuckDB's functions also read spaces around it, `epoch` and years of one digit. */
function parsed(given: Given, value: Typed, format: Typed, type: SqlType, isTry: boolean): Typed | undefined {
  const duck = format.text === undefined ? undefined : formatOf(format.text, given.writing, 'read');
  const forms = duck === undefined ? undefined : formatForms(duck);
  if (duck === undefined || forms === undefined || isDateLike(value.type)) return undefined;
  const written = asText(value, given.at, given.writing).sql;
  const sql = computedOnce(written, given.writing, (text) =>
    guarded(text, {
      casts: [[forms.plain, `CAST(${momentOf(text, duck, isTry)} AS ${type.name})`]],
      unsure: forms.unsure,
      isTry,
      refused: [
        `Millrace does not support the ${type.name.toLowerCase()} text '`,
        `'; write it exactly as the format ${quoteText(format.text ?? '')}`,
      ],
      fault: ['Could not parse string "', `" according to format specifier "${duck}"`],
    }),
  );
  return { sql, type };
}
