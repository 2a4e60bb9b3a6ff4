import { toVariant } from '../convert.ts';
import { BOOLEAN, decimal, quoteText, TEXT, type Typed, VARIANT } from '../typed.ts';
import { type FunctionRule, type Given, type Rules, text } from './rule.ts';

function value(given: Given, index = 0): Typed {
  const found = given.values[index];
  if (found === undefined) throw new Error('no such argument');
  return found;
}

function variant(given: Given, index = 0): Typed | undefined {
  const found = value(given, index);
  return found.type.name === 'VARIANT' || found.type.name === 'NULL' ? toVariant(found) : undefined;
}

function parseJson(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 1],
    write: (given) => ({
      sql: `${isTry ? 'TRY_CAST' : 'CAST'}(nullif(trim(${text(given, 0)}), '') AS JSON)`,
      type: VARIANT,
    }),
  };
}

/** An object without the members that are NULL; keys are sorted, as the warehouse sorts them. */
function objectConstruct(given: Given): Typed | undefined {
  const members: [string, Typed][] = [];
  for (let index = 0; index < given.values.length; index += 2) {
    const key = value(given, index).text;
    const member = given.values[index + 1];
    if (key === undefined || member === undefined) return undefined;
    members.push([key, member]);
  }
  const keys = members.map(([key]) => key);
  if (new Set(keys).size < keys.length) return undefined;
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return { sql: `CAST('{}' AS JSON)`, type: VARIANT };
  const parts = members.map(
    ([key, member]) =>
      `(${quoteText(`${JSON.stringify(key)}:`)} || CAST(${toVariant(member).sql} AS VARCHAR))`,
  );
  return { sql: `CAST('{' || concat_ws(',', ${parts.join(', ')}) || '}' AS JSON)`, type: VARIANT };
}

function arrayConstruct(given: Given): Typed {
  const items = given.values.map((item) => toVariant(item).sql);
  return {
    sql: items.length === 0 ? `CAST('[]' AS JSON)` : `json_array(${items.join(', ')})`,
    type: VARIANT,
  };
}

function arraySize(given: Given): Typed | undefined {
  const array = variant(given);
  if (array === undefined) return undefined;
  const sql = `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN CAST(json_array_length(${array.sql}) AS BIGINT) END`;
  return { sql, type: decimal(9, 0), isInteger: true };
}

function get(given: Given): Typed | undefined {
  const container = variant(given);
  const { text: key, number } = value(given, 1);
  if (container === undefined) return undefined;
  if (number !== undefined && /^\d+$/.test(number))
    return { sql: `(${container.sql} -> '$[${number}]')`, type: VARIANT };
  if (key === undefined || /["\\]/.test(key)) return undefined;
  return { sql: `(${container.sql} -> ${quoteText(`$."${key}"`)})`, type: VARIANT };
}

function one(rule: FunctionRule): FunctionRule {
  return { ...rule, only: 'WAREHOUSE_ONE' };
}

/** Functions of semi-structured values. */
export const SEMI_STRUCTURED: Rules = {
  PARSE_JSON: one(parseJson(false)),
  TRY_PARSE_JSON: one(parseJson(true)),
  OBJECT_CONSTRUCT: one({ arguments: [0, 500], write: objectConstruct }),
  ARRAY_CONSTRUCT: one({ arguments: [0, 500], write: arrayConstruct }),
  ARRAY_SIZE: one({ arguments: [1, 1], write: arraySize }),
  GET: one({ arguments: [2, 2], write: get }),
  TO_VARIANT: one({ arguments: [1, 1], write: (given) => toVariant(value(given)) }),
  TO_JSON: one({
    arguments: [1, 1],
    write: (given) => {
      const found = variant(given);
      return found && { sql: `CAST(${found.sql} AS VARCHAR)`, type: TEXT };
    },
  }),
  IS_NULL_VALUE: one({
    arguments: [1, 1],
    write: (given) => {
      const found = variant(given);
      return found && { sql: `(json_type(${found.sql}) = 'NULL')`, type: BOOLEAN };
    },
  }),
  SPLIT: one({
    arguments: [2, 2],
    write: (given) => ({ sql: `to_json(string_split(${text(given, 0)}, ${text(given, 1)}))`, type: VARIANT }),
  }),
};
