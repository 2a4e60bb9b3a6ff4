import type { Expression, Interval } from '../../parse/tree.ts';
import { expectDate } from '../casts/convert.ts';
import { withKnownOffset } from '../casts/offsets.ts';
import { DATE, TIMESTAMP, type Typed, WHOLE } from '../sql/typed.ts';
import { wholeNumber, within } from '../casts/as-number.ts';
import { findUnit, type Unit } from './units.ts';
import { isOne, refusal, write, type Writing } from '../sql/writing.ts';

/** Translates `date + INTERVAL …`, `INTERVAL … + date` and `date - INTERVAL …`. */
export function addInterval(node: Extract<Expression, { kind: 'binary' }>, writing: Writing): Typed {
  const [base, interval] =
    node.left.kind === 'interval' && node.operator === '+'
      ? [node.right, node.left]
      : [node.left, node.right];
  if (interval.kind !== 'interval' || base.kind === 'interval' || !['+', '-'].includes(node.operator))
    throw refusal(`INTERVAL with ${node.operator}`, node.at, writing);
  const parts = intervalParts(interval, writing);
  return parts.reduce<Typed>(
    (date, { amount, unit }) => shift(date, amount, unit, node.operator === '-', node.at, writing),
    expectDate(write(base, writing), node.at, writing),
  );
}

interface Part {
  readonly amount: Typed;
  readonly unit: Unit;
}

function intervalParts(interval: Interval, writing: Writing): readonly Part[] {
  const { value, unit, at } = interval;
  if (unit !== undefined) return [{ amount: write(value, writing), unit: unitOf(unit, at, writing) }];
  const text = value.kind === 'text' ? value.value : '';
  return text.split(',').map((part) => {
    const [, amount, word] =
      /^[ \t\n\v\f\r]*([+-]?\d+)[ \t\n\v\f\r]+([a-z]+)[ \t\n\v\f\r]*$/i.exec(part) ?? [];
    if (amount === undefined || word === undefined) throw refusal(`INTERVAL '${text}'`, at, writing);
    return { amount: { sql: amount, type: WHOLE, isInteger: true }, unit: unitOf(word, at, writing) };
  });
}

function unitOf(word: string, at: number, writing: Writing): Unit {
  const unit = findUnit(word, writing);
  if (unit === undefined) throw refusal(`the unit ${word}`, at, writing);
  return unit;
}

/** A whole number of units. It is refused if no date can be moved so far, because no page says what is then given. */
export function countOf(amount: Typed, unit: Unit, at: number, writing: Writing): string {
  return within(wholeNumber(amount, at, writing), unit.most, `a number of ${unit.name}s`, writing);
}

/**
 * Adds an amount of a unit of time to a date or timestamp. In `WAREHOUSE_ONE`, a DATE stays a DATE if the unit is a
 * day or longer.
 */
export function shift(
  date: Typed,
  amount: Typed,
  unit: Unit,
  isBack: boolean,
  at: number,
  writing: Writing,
): Typed {
  const count = countOf(amount, unit, at, writing);
  const whole = unit.add.factor === 1 ? '' : ` * ${unit.add.factor}`;
  const interval = `${unit.add.name}(CAST(${count}${whole} AS ${unit.add.integer}))`;
  // A day has 24 hours at every offset; the months depend on the day.
  if (unit.add.name === 'to_months') withKnownOffset(date, at, writing);
  const sql = `(${date.sql} ${isBack ? '-' : '+'} ${interval})`;
  if (date.type.name !== 'DATE') return { sql, type: date.type };
  if (unit.isDays && isOne(writing)) return { sql: `CAST(${sql} AS DATE)`, type: DATE };
  return { sql, type: TIMESTAMP };
}
