import type { Refusal } from '../../../core/refusal.ts';
import { jsonOfList } from '../casts/json-of-list.ts';
import { isOne, refusal, sqlError, write, type Writing } from '../sql/writing.ts';
import type { Call } from '../../parse/tree.ts';
import { orderDirectionOf, orderedBy } from './order.ts';
import { expectText } from '../casts/convert.ts';
import { withKnownOffset } from '../casts/offsets.ts';
import { mayHaveFloat, quoteText, TEXT, type Typed, VARIANT, VARIANT_WITH_FLOAT } from '../sql/typed.ts';
import { canonical, toVariant } from '../casts/variant.ts';
import { fitting } from './text-sizes.ts';
import { OVER, type Rules, type TypedCall } from './rule.ts';

/** Joins texts. Without rows, the result is an empty text in one kind and NULL in the other. */
function listagg(call: Call, writing: Writing): Typed {
  const [value, separator] = call.values;
  if (value === undefined) throw sqlError('LISTAGG needs an argument', call.at, writing);
  if (separator && separator.kind !== 'text')
    throw refusal('a separator that is not a literal', separator.at, writing);
  const item = write(value, writing);
  const text = expectText(item, value.at, writing).sql;
  const between = separator ? write(separator, writing).sql : "''";
  const order = orderOf(call, writing);
  const isOrdered = call.isDistinct && order !== '' && !isOrderOf(text, call, writing);
  if (!isOne(writing)) {
    if (isOrdered) throw refusal('this LISTAGG', call.at, writing);
    return listaggOfTwo(text, `${between}${order}`, call.isDistinct, writing);
  }
  const sql = isOrdered
    ? distinctTexts(item, between, call, writing)
    : `string_agg(${call.isDistinct ? 'DISTINCT ' : ''}${text}, ${between}${order})${OVER}`;
  return { sql: fitting(`coalesce(${sql}, '')`, writing), type: TEXT };
}

/** The message of `WAREHOUSE_TWO` about a result that is longer than a VARCHAR can be. */
const TOO_LONG = 'Result size exceeds LISTAGG limit';

/**
 * `WAREHOUSE_TWO` leaves empty texts out, too. Texts that differ in spaces at their ends only are not distinct: the
 * first one stays.
 */
function listaggOfTwo(text: string, rest: string, isDistinct: boolean, writing: Writing): Typed {
  const filter = `FILTER (WHERE ${text} <> '')${OVER}`;
  const joined = (what: string) => fitting(`string_agg(${what}, ${rest}) ${filter}`, writing, TOO_LONG);
  if (!isDistinct) return { sql: joined(text), type: TEXT };
  const message =
    'Millrace does not support LISTAGG with DISTINCT of a text that ends with a space; apply RTRIM to it';
  const hasSpaces = `coalesce(bool_or(ends_with(${text}, ' '))${OVER}, FALSE)`;
  return {
    sql: `CASE WHEN ${hasSpaces} THEN error('${message}') ELSE ${joined(`DISTINCT ${text}`)} END`,
    type: TEXT,
  };
}

/** DuckDB orders distinct values only by themselves: here the texts are made afterwards. */
function distinctTexts(item: Typed, between: string, call: Call, writing: Writing): string {
  if (!isOrderOf(item.sql, call, writing) || item.type.name === 'VARIANT') throw otherOrder(call, writing);
  const text = expectText({ sql: 'item', type: item.type }, call.at, writing).sql;
  const list = `list(DISTINCT ${item.sql}${orderOf(call, writing)})${OVER}`;
  return `array_to_string(list_transform(${list}, lambda item: ${text}), ${between})`;
}

/** Whether the order is by this value alone. */
function isOrderOf(sql: string, call: Call, writing: Writing): boolean {
  return call.withinGroup?.every((item) => write(item.value, writing).sql === sql) === true;
}

function otherOrder(call: Call, writing: Writing): Refusal {
  return refusal(
    `${call.name}(DISTINCT …) with an ORDER BY of a value other than the argument`,
    call.at,
    writing,
  );
}

function orderOf(call: Call, writing: Writing): string {
  if (!call.withinGroup) return '';
  return ` ORDER BY ${call.withinGroup.map((item) => `${orderedBy(write(item.value, writing), writing)} ${orderDirectionOf(item)}`).join(', ')}`;
}

/** An array without the NULLs. */
function arrayAgg(call: Call, writing: Writing): Typed {
  const [value] = call.values;
  if (value === undefined) throw sqlError('ARRAY_AGG needs an argument', call.at, writing);
  if (call.window && call.window.order.length > 0)
    throw refusal('ARRAY_AGG with ORDER BY in OVER', call.at, writing, 'write WITHIN GROUP (ORDER BY …)');
  const item = withKnownOffset(write(value, writing), value.at, writing);
  const { type } = item;
  const isTimed = ['TIME', 'TIMESTAMP', 'TIMESTAMP_TZ'].includes(type.name);
  const inner = isTimed ? toVariant(item, value.at, writing).sql : item.sql;
  const isOther = !isOrderOf(inner, call, writing) || type.name === 'VARIANT';
  if (call.isDistinct && call.withinGroup && isOther) throw otherOrder(call, writing);
  const list = `array_agg(${call.isDistinct ? 'DISTINCT ' : ''}${inner}${orderOf(call, writing)}) FILTER (WHERE ${inner} IS NOT NULL)${OVER}`;
  const array = canonical(`coalesce(${jsonOfList(list, isTimed ? VARIANT : type)}, '[]')`);
  return mayHaveFloat(type) ? { ...array, type: VARIANT_WITH_FLOAT } : array;
}

/**
 * An object with a member for each row. Rows without a key or without a value do not count, so that an object may have no members.
 * A key of two rows is an error.
 */
function objectAgg(call: TypedCall): Typed | undefined {
  const [key, value] = call.values;
  if (key?.type.name !== 'VARCHAR' || value === undefined) return undefined;
  if (value.type.name !== 'VARIANT')
    throw refusal(
      'OBJECT_AGG of a value that is not a VARIANT',
      call.at,
      call.writing,
      'write value::VARIANT',
    );
  if (call.parsed.isDistinct) throw refusal('OBJECT_AGG with DISTINCT', call.at, call.writing);
  const filter = `FILTER (WHERE ${key.sql} IS NOT NULL AND ${value.sql} IS NOT NULL)${OVER}`;
  const members = `string_agg(CAST(to_json(${key.sql}) AS VARCHAR) || ':' || CAST(${value.sql} AS VARCHAR), ',') ${filter}`;
  const isTwice = `count(${key.sql}) ${filter} <> count(DISTINCT ${key.sql}) ${filter}`;
  const message = quoteText('OBJECT_AGG has two values for the same key');
  const object = canonical(
    `CASE WHEN ${isTwice} THEN error(${message}) ELSE '{' || coalesce(${members}, '') || '}' END`,
  );
  return mayHaveFloat(value.type) ? { ...object, type: VARIANT_WITH_FLOAT } : object;
}

/** Aggregate functions that combine the values of many rows into one text, array or object. */
export const COLLECTIONS: Rules = {
  LISTAGG: {
    arguments: [1, 2],
    kind: 'aggregate',
    hasOrder: true,
    hasNoOrderInOver: true,
    needsTable: true,
    writeCall: listagg,
  },
  ARRAY_AGG: {
    arguments: [1, 1],
    only: 'WAREHOUSE_ONE',
    kind: 'aggregate',
    hasOrder: true,
    writeCall: arrayAgg,
  },
  OBJECT_AGG: {
    arguments: [2, 2],
    only: 'WAREHOUSE_ONE',
    kind: 'aggregate',
    hasNoOrderInOver: true,
    write: objectAgg,
  },
};
