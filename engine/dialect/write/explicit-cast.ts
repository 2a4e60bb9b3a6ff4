import type { SqlType } from '../../core/sql-type.ts';
import { computedOnce } from './computed-once.ts';
import { cast, tryCast } from './convert.ts';
import { digitsOf, quoteText, type Typed, typeText } from './typed.ts';
import { isOne, type Writing } from './writing.ts';

/**
 * A cast that the user wrote. Kind 2 rounds a DECIMAL where it is stored and where it is a literal, but the cast of a
 * value of a table does not round, and what it does is not documented.
 */
export function explicitCast(
  value: Typed,
  type: SqlType,
  at: number,
  writing: Writing,
  isTry = false,
): Typed {
  const exact = isOne(writing) ? value : withoutLoss(value, type, writing);
  return isTry ? tryCast(exact, type, at, writing) : cast(exact, type, at, writing);
}

function withoutLoss(value: Typed, type: SqlType, writing: Writing): Typed {
  const [from, to] = [digitsOf(value.type), digitsOf(type)];
  if (from === undefined || to === undefined || from.scale <= to.scale || value.number !== undefined)
    return value;
  const before = 'Millrace does not support a cast of the DECIMAL ';
  const after = ` to a type with fewer decimal places, ${typeText(type, 'WAREHOUSE_TWO')}; use ROUND or TRUNC before the cast`;
  const sql = computedOnce(
    value.sql,
    writing,
    (number) =>
      `CASE WHEN round(${number}, ${to.scale}) <> ${number} THEN error(${quoteText(before)} || ${number} || ${quoteText(after)}) ELSE ${number} END`,
  );
  return { sql, type: value.type };
}
