import type { Call, Expression, Frame, OrderItem, Window } from '../../parse/tree.ts';
import { comparedText } from '../sql/equal-texts.ts';
import { orderDirectionOf, orderedBy } from '../functions/order.ts';
import type { FunctionRule } from '../functions/rule.ts';
import { isOne, refusal, write, type Writing } from '../sql/writing.ts';

const ORDERED = 'the warehouse does not allow an order there: leave ORDER BY out';
const NO_ORDER = 'the warehouse requires an order: add ORDER BY to OVER (…)';
const NO_FRAME = 'the warehouse does not allow a frame there: leave ROWS or RANGE out';
const NO_DISTINCT = 'the warehouse does not allow DISTINCT there: group the rows in a subquery, and join it';
const ROWS_ONLY = 'the warehouse supports only frames of ROWS';

/** Refuses what the warehouse does not accept in the OVER of a function. */
export function checkWindow(
  call: Call,
  { order, frame }: Window,
  rule: FunctionRule,
  writing: Writing,
): void {
  const { name, at } = call;
  const isFirst = isOne(writing);
  const isOrdered = order.length > 0;
  if (isOrdered && rule.hasNoOrderInOver)
    throw refusal(`${name} with ORDER BY in OVER`, at, writing, ORDERED);
  if (call.isDistinct && !isFirst && name !== 'LISTAGG')
    throw refusal(`${name}(DISTINCT …) with OVER`, at, writing, NO_DISTINCT);
  if (call.isDistinct && isOrdered)
    throw refusal(`${name}(DISTINCT …) with ORDER BY in OVER`, at, writing, ORDERED);
  const needsOrder = rule.kind === 'window' && (isFirst || name === 'LAG' || name === 'LEAD');
  if (needsOrder && !isOrdered) throw refusal(`${name} without ORDER BY in OVER`, at, writing, NO_ORDER);
  if (frame) checkFrame(call, frame, isOrdered, rule, writing);
}

function checkFrame(
  { name, at }: Call,
  frame: Frame,
  isOrdered: boolean,
  rule: FunctionRule,
  writing: Writing,
): void {
  if (rule.kind === 'window' && !rule.isWholeFrame)
    throw refusal(`${name} with a frame in OVER`, at, writing, NO_FRAME);
  if (!isOrdered) throw refusal('a frame without ORDER BY in OVER', at, writing, NO_ORDER);
  if (frame.unit === 'RANGE' && !isOne(writing))
    throw refusal('a frame of RANGE in OVER', at, writing, ROWS_ONLY);
  if (placeOf(frame.from, -1) > placeOf(frame.to, 1))
    throw refusal('a frame in OVER that ends before it begins', at, writing, 'swap the two bounds');
}

/**
 * The distance of a bound from the current row. An unbounded bound on its usual side is nearer than one on the other
 * side, which is refused.
 */
function placeOf(bound: string, usual: -1 | 1): number {
  if (bound === 'CURRENT ROW') return 0;
  const [amount, side] = bound.split(' ');
  const sign = side === 'PRECEDING' ? -1 : 1;
  // `UNBOUNDED FOLLOWING` cannot begin a frame, nor `UNBOUNDED PRECEDING` end it.
  if (amount === 'UNBOUNDED') return sign * (sign === usual ? 1e12 : 1e13);
  return sign * Number(amount);
}

const NAMED = 'a number is not a column position there: write the name of a column';

/** In `WAREHOUSE_TWO`, a text cannot be in PARTITION BY, and no constant in ORDER BY. */
function refuseLiteral(
  { kind, at }: Expression,
  clause: 'PARTITION BY' | 'ORDER BY',
  writing: Writing,
): void {
  const isRefused = kind === 'text' || (clause === 'ORDER BY' && (kind === 'boolean' || kind === 'null'));
  if (isRefused && !isOne(writing))
    throw refusal(
      `a constant in ${clause} of OVER`,
      at,
      writing,
      'the warehouse refuses it: write the name of a column',
    );
}

/** Translates the text inside the parentheses of OVER. */
export function windowText(call: Call, rule: FunctionRule, writing: Writing): string {
  const { window } = call;
  if (window === undefined) return '';
  const partitions = window.partitions.map((value) => {
    refuseLiteral(value, 'PARTITION BY', writing);
    return comparedText(write(value, writing), writing.session.context.warehouse);
  });
  const parts = partitions.length > 0 ? [`PARTITION BY ${partitions.join(', ')}`] : [];
  if (window.order.length > 0) parts.push(`ORDER BY ${orderText(window.order, writing)}`);
  const needsFrame = window.order.length > 0 && (rule.kind === 'aggregate' || rule.isWholeFrame);
  if (window.frame) parts.push(`${window.frame.unit} BETWEEN ${window.frame.from} AND ${window.frame.to}`);
  else if (needsFrame && !isOne(writing))
    throw refusal(`${call.name} with ORDER BY and no frame`, call.at, writing, 'add ROWS …');
  else if (rule.isWholeFrame) parts.push('ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING');
  return parts.join(' ');
}

export function orderText(order: readonly OrderItem[], writing: Writing): string {
  return order
    .map((item) => {
      if (item.value.kind === 'number')
        throw refusal('a number in the ORDER BY of OVER', item.value.at, writing, NAMED);
      refuseLiteral(item.value, 'ORDER BY', writing);
      const value = write(item.value, writing);
      const key = comparedText(
        { ...value, sql: orderedBy(value, writing) },
        writing.session.context.warehouse,
      );
      return `${key} ${orderDirectionOf(item)}`;
    })
    .join(', ');
}
