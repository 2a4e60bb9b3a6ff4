import { cast, commonType, convert, expectBoolean } from '../casts/convert.ts';
import { compare } from '../operators/operators.ts';
import { BOOLEAN, decimal, digitsOf, type Typed } from '../sql/typed.ts';
import { isOne } from '../sql/writing.ts';
import type { FunctionRule, Given, Rules } from './rule.ts';

/** Values converted to the type that they have in common. */
function alike(given: Given, values = given.values): { sql: readonly string[]; type: Typed['type'] } {
  const type = commonType(values, given.at, given.writing);
  const sql = values.map((value) =>
    value.type.name === 'NULL' ? 'NULL' : convert(value, type, given.at, given.writing).sql,
  );
  return { sql, type };
}

function coalesce(given: Given): Typed {
  const { sql, type } = alike(given, withNumbers(given));
  return { sql: `coalesce(${sql.join(', ')})`, type };
}

/** Next to a number, the warehouse makes texts numbers of this type. */
const NUMBER_OF_TEXT = decimal(18, 5);

function withNumbers({ values, at: place, writing }: Given): readonly Typed[] {
  const hasNumber = values.some(({ type }) => digitsOf(type) !== undefined);
  const isPlain = values.every(({ type }) => digitsOf(type) ?? ['VARCHAR', 'NULL'].includes(type.name));
  if (!isOne(writing) || !hasNumber || !isPlain) return values;
  return values.map((value) => {
    // Of a longer constant, the type is another one.
    const isLong = value.text !== undefined && !/^-?\d{0,13}(?:\.\d{0,5})?$/.test(value.text);
    return value.type.name !== 'VARCHAR' || isLong ? value : cast(value, NUMBER_OF_TEXT, place, writing);
  });
}

function at(given: Given, index: number): Typed {
  const value = given.values[index];
  if (value === undefined) throw new Error('no such argument');
  return value;
}

function nullIf(given: Given): Typed {
  const value = at(given, 0);
  const equal = compare('=', value, at(given, 1), given.at, given.writing);
  return { sql: `CASE WHEN ${equal.sql} THEN NULL ELSE ${value.sql} END`, type: value.type };
}

function iff(given: Given): Typed {
  const condition = expectBoolean(at(given, 0), given.at, given.writing);
  const { sql, type } = alike(given, given.values.slice(1));
  return { sql: `CASE WHEN ${condition.sql} THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}

function nvl2(given: Given): Typed {
  const { sql, type } = alike(given, given.values.slice(1));
  return { sql: `CASE WHEN ${at(given, 0).sql} IS NOT NULL THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}

/** Like CASE, but NULL equals NULL. */
function decode(given: Given): Typed {
  const rest = given.values.slice(1);
  const pairs = Math.floor(rest.length / 2);
  const results = rest.filter((_, index) => index % 2 === 1 || index === pairs * 2);
  const { sql, type } = alike(given, results);
  const branches = Array.from({ length: pairs }, (_, index) => {
    const equal = compare(
      'IS NOT DISTINCT FROM',
      at(given, 0),
      at(given, 1 + index * 2),
      given.at,
      given.writing,
    );
    return ` WHEN ${equal.sql} THEN ${sql[index]}`;
  });
  const otherwise = rest.length % 2 === 1 ? ` ELSE ${sql.at(-1)}` : '';
  return { sql: `CASE${branches.join('')}${otherwise} END`, type };
}

/** NULL if one of them is NULL, in one kind of warehouse; the other skips NULLs as DuckDB does. */
function extreme(name: 'greatest' | 'least'): FunctionRule {
  return {
    arguments: [1, 100],
    write: (given) => {
      const { sql, type } = alike(given);
      // Their texts do not have their order.
      if (type.name === 'VARIANT') return undefined;
      const value = `${name}(${sql.join(', ')})`;
      if (!isOne(given.writing)) return { sql: value, type };
      const isNull = sql.map((each) => `${each} IS NULL`).join(' OR ');
      return { sql: `CASE WHEN ${isNull} THEN NULL ELSE ${value} END`, type };
    },
  };
}

const one = 'WAREHOUSE_ONE';

/** Functions that choose between values. */
export const CONDITIONALS: Rules = {
  COALESCE: { arguments: [1, 100], write: coalesce },
  NVL: { arguments: [2, 100], warehouseArguments: { WAREHOUSE_ONE: [2, 2] }, write: coalesce },
  IFNULL: { arguments: [2, 2], only: one, write: coalesce },
  NVL2: { arguments: [3, 3], write: nvl2 },
  NULLIF: { arguments: [2, 2], write: nullIf },
  IFF: { arguments: [3, 3], only: one, write: iff },
  DECODE: { arguments: [3, 255], write: decode },
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  EQUAL_NULL: {
    arguments: [2, 2],
    only: one,
    write: (given) => compare('IS NOT DISTINCT FROM', at(given, 0), at(given, 1), given.at, given.writing),
  },
  TO_BOOLEAN: {
    arguments: [1, 1],
    only: one,
    write: (given) => cast(at(given, 0), BOOLEAN, given.at, given.writing),
  },
};
