import { commonType, convert } from '../casts/convert.ts';
import { decimal, FLOAT, type Typed } from '../sql/typed.ts';
import { isOne } from '../sql/writing.ts';
import { type FunctionRule, type TypedCall, literal, OVER, type Rules } from './rule.ts';

function rank(name: string): FunctionRule {
  return {
    arguments: [0, 0],
    kind: 'window',
    write: (call) => ({
      sql: `${name}()${OVER}`,
      type: isOne(call.writing) ? decimal(18, 0) : { name: 'BIGINT' },
      isInteger: true,
    }),
  };
}

function share(name: string): FunctionRule {
  return { arguments: [0, 0], kind: 'window', write: () => ({ sql: `${name}()${OVER}`, type: FLOAT }) };
}

function nulls(call: TypedCall): string {
  return call.parsed.ignoresNulls ? ' IGNORE NULLS' : '';
}

function neighbour(name: string): FunctionRule {
  return {
    arguments: [1, 3],
    warehouseArguments: { WAREHOUSE_TWO: [1, 2] },
    kind: 'window',
    mayIgnoreNulls: true,
    write: (call) => {
      const [value, , otherwise] = call.values;
      const distance = call.values.length > 1 ? literal(call, 1) : 1;
      if (value === undefined || distance === undefined) return undefined;
      if (distance < 0 && !isOne(call.writing)) return undefined;
      const type = otherwise ? commonType([value, otherwise], call.at, call.writing) : value.type;
      const inner = convert(value, type, call.at, call.writing).sql;
      const last = otherwise ? `, ${convert(otherwise, type, call.at, call.writing).sql}` : '';
      return { sql: `${name}(${inner}, ${distance}${last}${nulls(call)})${OVER}`, type };
    },
  };
}

function edge(name: string): FunctionRule {
  return {
    arguments: [1, 1],
    kind: 'window',
    mayIgnoreNulls: true,
    isWholeFrame: true,
    write: (call): Typed | undefined => {
      const [value] = call.values;
      return value && { sql: `${name}(${value.sql}${nulls(call)})${OVER}`, type: value.type };
    },
  };
}

function ntile(call: TypedCall): Typed | undefined {
  const count = literal(call, 0);
  if (count === undefined || count < 1) return undefined;
  return {
    sql: `ntile(${count})${OVER}`,
    type: isOne(call.writing) ? decimal(18, 0) : { name: 'BIGINT' },
    isInteger: true,
  };
}

/** Window functions, which require OVER. */
export const WINDOWS: Rules = {
  ROW_NUMBER: rank('row_number'),
  RANK: rank('rank'),
  DENSE_RANK: rank('dense_rank'),
  PERCENT_RANK: share('percent_rank'),
  CUME_DIST: share('cume_dist'),
  NTILE: { arguments: [1, 1], kind: 'window', write: ntile },
  LAG: neighbour('lag'),
  LEAD: neighbour('lead'),
  FIRST_VALUE: edge('first_value'),
  LAST_VALUE: edge('last_value'),
};
