import { cast, commonType, convert, expectBoolean } from '../casts/convert.ts';
import { compare } from '../operators/operators.ts';
import { BOOLEAN, decimal, digitsOf, type Typed } from '../sql/typed.ts';
import { shownForEqual } from '../sql/equal-texts.ts';
import { isOne } from '../sql/writing.ts';
import type { FunctionRule, TypedCall, Rules } from './rule.ts';

/** Values converted to the type that they have in common. */
function alike(call: TypedCall, values = call.values): { sql: readonly string[]; type: Typed['type'] } {
  const type = commonType(values, call.at, call.writing);
  const sql = values.map((value) =>
    value.type.name === 'NULL' ? 'NULL' : convert(value, type, call.at, call.writing).sql,
  );
  return { sql, type };
}

function coalesce(call: TypedCall): Typed {
  const { sql, type } = alike(call, withNumbers(call));
  return { sql: `coalesce(${sql.join(', ')})`, type };
}

/** Next to a number, the warehouse makes texts numbers of this type. */
const NUMBER_OF_TEXT = decimal(18, 5);

function withNumbers({ values, at: place, writing }: TypedCall): readonly Typed[] {
  const hasNumber = values.some(({ type }) => digitsOf(type) !== undefined);
  const isPlain = values.every(({ type }) => digitsOf(type) ?? ['VARCHAR', 'NULL'].includes(type.name));
  if (!isOne(writing) || !hasNumber || !isPlain) return values;
  return values.map((value) => {
    // A longer constant has another type.
    const isLong = value.text !== undefined && !/^-?\d{0,13}(?:\.\d{0,5})?$/.test(value.text);
    return value.type.name !== 'VARCHAR' || isLong ? value : cast(value, NUMBER_OF_TEXT, place, writing);
  });
}

function argument(call: TypedCall, index: number): Typed {
  const value = call.values[index];
  if (value === undefined) throw new Error('no such argument');
  return value;
}

function nullIf(call: TypedCall): Typed {
  const value = argument(call, 0);
  const equal = compare('=', value, argument(call, 1), call.at, call.writing);
  return { sql: `CASE WHEN ${equal.sql} THEN NULL ELSE ${value.sql} END`, type: value.type };
}

function iff(call: TypedCall): Typed {
  const condition = expectBoolean(argument(call, 0), call.at, call.writing);
  const { sql, type } = alike(call, call.values.slice(1));
  return { sql: `CASE WHEN ${condition.sql} THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}

function nvl2(call: TypedCall): Typed {
  const { sql, type } = alike(call, call.values.slice(1));
  return { sql: `CASE WHEN ${argument(call, 0).sql} IS NOT NULL THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}

/** Like CASE, but NULL equals NULL. */
function decode(call: TypedCall): Typed {
  const rest = call.values.slice(1);
  const pairs = Math.floor(rest.length / 2);
  const results = rest.filter((_, index) => index % 2 === 1 || index === pairs * 2);
  const { sql, type } = alike(call, results);
  const branches = Array.from({ length: pairs }, (_, index) => {
    const equal = compare(
      'IS NOT DISTINCT FROM',
      argument(call, 0),
      argument(call, 1 + index * 2),
      call.at,
      call.writing,
    );
    return ` WHEN ${equal.sql} THEN ${sql[index]}`;
  });
  const otherwise = rest.length % 2 === 1 ? ` ELSE ${sql.at(-1)}` : '';
  return { sql: `CASE${branches.join('')}${otherwise} END`, type };
}

/**
 * In one kind of warehouse, the result is NULL if one of the values is NULL. The other kind skips NULLs, as DuckDB
 * does.
 */
function extreme(name: 'greatest' | 'least'): FunctionRule {
  return {
    arguments: [1, Infinity],
    write: (call) => {
      const { sql, type } = alike(call);
      // The texts of semi-structured values do not sort as the values do.
      if (type.name === 'VARIANT') return undefined;
      const { warehouse } = call.writing.session.context;
      const shown =
        sql.length === 1
          ? sql
          : sql.map((each) => shownForEqual({ sql: each, type }, name.toUpperCase(), warehouse));
      const value = `${name}(${shown.join(', ')})`;
      if (!isOne(call.writing)) return { sql: value, type };
      const isNull = sql.map((each) => `${each} IS NULL`).join(' OR ');
      return { sql: `CASE WHEN ${isNull} THEN NULL ELSE ${value} END`, type };
    },
  };
}

const kindOne = 'WAREHOUSE_ONE';

/** Functions that choose one of several values. */
export const CONDITIONALS: Rules = {
  COALESCE: { arguments: [1, Infinity], write: coalesce },
  NVL: { arguments: [2, Infinity], warehouseArguments: { WAREHOUSE_ONE: [2, 2] }, write: coalesce },
  IFNULL: { arguments: [2, 2], only: kindOne, write: coalesce },
  NVL2: { arguments: [3, 3], write: nvl2 },
  NULLIF: { arguments: [2, 2], write: nullIf },
  IFF: { arguments: [3, 3], only: kindOne, write: iff },
  DECODE: { arguments: [3, 255], write: decode },
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  EQUAL_NULL: {
    arguments: [2, 2],
    only: kindOne,
    write: (call) =>
      compare('IS NOT DISTINCT FROM', argument(call, 0), argument(call, 1), call.at, call.writing),
  },
  TO_BOOLEAN: {
    arguments: [1, 1],
    only: kindOne,
    write: (call) => cast(argument(call, 0), BOOLEAN, call.at, call.writing),
  },
};
