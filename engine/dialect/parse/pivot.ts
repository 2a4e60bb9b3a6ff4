import type { Expression, FromItem, Name } from './tree.ts';
import { isAliasAhead, parseAlias } from './alias.ts';
import type { Cursor } from './cursor.ts';

const PIVOT_ONCE = 'the warehouse does not allow this: move the inner PIVOT or UNPIVOT to a query in WITH';

/**
 * Parses `table PIVOT (…)` or `table UNPIVOT (…)`, or the table alone. In `WAREHOUSE_ONE`, several PIVOT and UNPIVOT
 * may follow one another.
 */
export function parsePivots(cursor: Cursor, table: FromItem): FromItem {
  let item = table;
  for (;;) {
    const { at } = cursor;
    const isSecond = item !== table && cursor.warehouse === 'WAREHOUSE_TWO';
    if (isSecond && (cursor.isWord('PIVOT') || cursor.isWord('UNPIVOT')))
      throw cursor.refusal(`${cursor.peek().value} of PIVOT or UNPIVOT`, at, PIVOT_ONCE);
    if (cursor.takeWord('UNPIVOT')) item = parseUnpivot(cursor, item, at);
    else if (cursor.takeWord('PIVOT')) item = parsePivot(cursor, item, at);
    else return item;
  }
}

/** After the word: `[INCLUDE | EXCLUDE NULLS] (value FOR name IN (columns)) [alias]`. */
function parseUnpivot(cursor: Cursor, item: FromItem, at: number): FromItem {
  const keepsNulls = cursor.takeWord('INCLUDE', 'NULLS');
  if (!keepsNulls) cursor.takeWord('EXCLUDE', 'NULLS');
  const { value, name, columns } = cursor.inParentheses(() => {
    const first = cursor.name();
    cursor.expectWord('FOR');
    const second = cursor.name();
    cursor.expectWord('IN');
    return {
      value: first,
      name: second,
      columns: cursor.inParentheses(() => cursor.list(() => column(cursor))),
    };
  });
  return { kind: 'unpivot', at, item, value, name, columns, keepsNulls, alias: parseAlias(cursor) };
}

function column(cursor: Cursor): Name {
  const name = cursor.name();
  if (cursor.isWord('AS') || isAliasAhead(cursor)) throw cursor.refusal('an alias in UNPIVOT');
  return name;
}

/** After the word: `(aggregate(value) FOR column IN (values)) [alias]`. */
function parsePivot(cursor: Cursor, item: FromItem, at: number): FromItem {
  const {
    aggregate,
    column: pivoted,
    values,
  } = cursor.inParentheses(() => {
    const call = cursor.expression();
    if (!cursor.isWord('FOR') && (cursor.isWord('AS') || isAliasAhead(cursor)))
      throw cursor.refusal(
        'an alias of the aggregate in PIVOT',
        cursor.at,
        'give names to the values instead: value AS name',
      );
    if (cursor.isOperator(','))
      throw cursor.refusal(
        'several aggregates in PIVOT',
        cursor.at,
        'write a separate PIVOT for each aggregate',
      );
    cursor.expectWord('FOR');
    const name = cursor.name();
    cursor.expectWord('IN');
    const list = cursor.inParentheses(() => cursor.list(() => pivotValue(cursor)));
    return { aggregate: call, column: name, values: list };
  });
  return { kind: 'pivot', at, item, aggregate, column: pivoted, values, alias: parseAlias(cursor) };
}

function pivotValue(cursor: Cursor): { readonly value: Expression; readonly alias: Name | undefined } {
  if (cursor.isWord('ANY') || cursor.isWord('SELECT'))
    throw cursor.refusal(`PIVOT … IN (${cursor.peek().value})`);
  const value = cursor.expression();
  const alias = cursor.takeWord('AS') || isAliasAhead(cursor) ? cursor.name() : undefined;
  return { value, alias };
}
