import type { SqlType } from '../../../core/sql-type.ts';
import type { Expression } from '../../parse/tree.ts';
import { computedOnce } from '../sql/computed-once.ts';
import { cast, tryCast } from './convert.ts';
import { cutNumber } from './cut-number.ts';
import { digitsOf, quoteText, type Typed, typeText } from '../sql/typed.ts';
import { isOne, type Names, type Writing } from '../sql/writing.ts';

export interface ExplicitCastOptions {
  readonly isTry?: boolean;
  /** Whether the value comes from a table, or was calculated from such values. */
  readonly isOfTable: boolean;
}

/**
 * Translates a cast that the user wrote. `WAREHOUSE_TWO` rounds a DECIMAL literal and a DECIMAL that is stored, but
 * removes digits without rounding from a value that comes from a table. If it is not certain which kind of value it
 * is, the cast is refused if it would lose digits.
 */
export function explicitCast(
  value: Typed,
  type: SqlType,
  at: number,
  writing: Writing,
  { isTry = false, isOfTable }: ExplicitCastOptions,
): Typed {
  const exact = isOne(writing) ? value : withFewerPlaces(value, type, isOfTable, writing);
  return isTry ? tryCast(exact, type, at, writing) : cast(exact, type, at, writing);
}

function withFewerPlaces(value: Typed, type: SqlType, isOfTable: boolean, writing: Writing): Typed {
  const [from, to] = [digitsOf(value.type), digitsOf(type)];
  if (from === undefined || to === undefined || from.scale <= to.scale || value.number !== undefined)
    return value;
  if (isOfTable && type.name === 'NUMBER') return cutNumber(value, to.scale, writing);
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

/**
 * Whether an expression names a column, in a statement that reads a table and not only rows that the statement itself
 * contains.
 */
export function readsTable(value: Expression, { session, names }: Writing): boolean {
  if (!namesColumn(value)) return false;
  if (session.reads.size > 0) return true;
  for (let scope: Names | undefined = names; scope; scope = scope.outer)
    if (scope.relations.some((relation) => relation.isDerived !== true)) return true;
  return false;
}

function namesColumn(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('kind' in node && node.kind === 'column') return true;
  return Object.values(node).some(namesColumn);
}
