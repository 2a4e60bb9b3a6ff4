import { compareTexts } from '../../../../lib/core/text/compare-texts.ts';
import { castToShape } from '../casts/shapes.ts';
import {
  elementSql,
  takenElementSql,
  UNDEFINED_JSON,
  jsonTextSql,
} from '../../../duckdb/values/undefined-element.ts';

import { BOOLEAN, decimal, quoteText, TEXT, type Typed, VARIANT } from '../sql/typed.ts';
import { type FunctionRule, type Given, type Rules, text } from './rule.ts';
import { parsed, toVariant } from '../casts/variant.ts';
import { refuseElement } from './xml.ts';

function value(given: Given, index = 0): Typed {
  const found = given.values[index];
  if (found === undefined) throw new Error('no such argument');
  return found;
}

function variant(given: Given, index = 0): Typed | undefined {
  const found = value(given, index);
  return found.type.name === 'VARIANT' || found.type.name === 'NULL'
    ? toVariant(found, given.at, given.writing)
    : undefined;
}

/** The blanks of JSON. */
const BLANKS = String.raw`E' \t\r\n'`;

function parseJson(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 1],
    warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
    write: (given) => parsed(`nullif(trim(${text(given, 0)}, ${BLANKS}), '')`, isTry),
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
  members.sort(([a], [b]) => compareTexts(a, b));
  if (members.length === 0) return { sql: `CAST('{}' AS JSON)`, type: VARIANT };
  const parts = members.map(
    ([key, member]) =>
      `(${quoteText(`${JSON.stringify(key)}:`)} || CAST(${toVariant(member, given.at, given.writing).sql} AS VARCHAR))`,
  );
  return { sql: `CAST('{' || concat_ws(',', ${parts.join(', ')}) || '}' AS JSON)`, type: VARIANT };
}

function arrayConstruct(given: Given): Typed {
  const items = given.values.map((item) => elementSql(toVariant(item, given.at, given.writing).sql));
  if (items.length === 0) return { sql: `CAST('[]' AS JSON)`, type: VARIANT };
  // DuckDB's JSON functions read a decimal as a DOUBLE: joined as texts, numbers keep their digits.
  const texts = items.map((item) => `CAST(${item} AS VARCHAR)`);
  return { sql: `CAST('[' || concat_ws(',', ${texts.join(', ')}) || ']' AS JSON)`, type: VARIANT };
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
    return { sql: takenElementSql(`(${container.sql} -> '$[${number}]')`), type: VARIANT };
  if (key === undefined || /["\\]/.test(key)) return undefined;
  return { sql: `(${container.sql} -> ${quoteText(`$."${key}"`)})`, type: VARIANT };
}

/** An array as a list of JSON values; NULL where the value is not an array. */
function listSql(array: Typed): string {
  // With a type, because DuckDB takes the list of a NULL for a single value.
  return `CAST(CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN json_extract(${array.sql}, '$[*]') END AS JSON[])`;
}

/** The items as texts; an SQL NULL is an empty text, a JSON null an error. DuckDB needs a separator that is known. */
function arrayToString(given: Given): Typed | undefined {
  const array = variant(given);
  const separator = value(given, 1);
  if (separator.type.name === 'NULL') return { sql: 'CAST(NULL AS VARCHAR)', type: TEXT };
  if (array === undefined || separator.text === undefined) return undefined;
  const message = quoteText('Millrace does not support ARRAY_TO_STRING of a JSON null');
  const empty = `CASE WHEN item = 'null' THEN error(${message}) WHEN item = '${UNDEFINED_JSON}' THEN '' END`;
  const shown = jsonTextSql('item', "(item ->> '$')");
  const texts = `list_transform(${listSql(array)}, lambda item: coalesce(${empty}, ${shown}))`;
  return { sql: `array_to_string(${texts}, ${text(given, 1)})`, type: TEXT };
}

function toArray(given: Given): Typed {
  return castToShape(value(given), { name: 'VARIANT', shape: 'ARRAY' }, given.at, given.writing);
}

function arrayContains(given: Given): Typed | undefined {
  const item = value(given);
  const array = variant(given, 1);
  if (array === undefined || item.type.name !== 'VARIANT') return undefined;
  // An SQL NULL that is not found gives NULL.
  const found = `list_contains(${listSql(array)}, ${elementSql(item.sql)})`;
  return { sql: `CASE WHEN ${found} OR ${item.sql} IS NOT NULL THEN ${found} END`, type: BOOLEAN };
}

/** The array of the items of two, whose texts are these: the one form of JSON has no spaces. */
function joinedArrays(a: string, b: string): string {
  const start = `CASE WHEN ${a} = '[]' OR ${b} = '[]' THEN left(${a}, length(${a}) - 1) ELSE left(${a}, length(${a}) - 1) || ',' END`;
  return `CAST(${start} || substr(${b}, 2) AS JSON)`;
}

/** NULL stays NULL. What a value becomes that is not an array is refused when it occurs. */
function arrayAppend(given: Given): Typed | undefined {
  const array = variant(given);
  if (array === undefined) return undefined;
  const item = elementSql(toVariant(value(given, 1), given.at, given.writing).sql);
  const added = joinedArrays(`CAST(${array.sql} AS VARCHAR)`, `('[' || CAST(${item} AS VARCHAR) || ']')`);
  const message = quoteText('Millrace does not support ARRAY_APPEND to a value that is not an array');
  const other = `CASE WHEN ${array.sql} IS NOT NULL THEN CAST(error(${message}) AS JSON) END`;
  return {
    sql: `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN ${added} ELSE ${other} END`,
    type: VARIANT,
  };
}

function arrayConcat(given: Given): Typed | undefined {
  const [left, right] = [variant(given), variant(given, 1)];
  if (left === undefined || right === undefined) return undefined;
  const isList = ({ sql }: Typed) => `json_type(${sql}) = 'ARRAY'`;
  const joined = joinedArrays(`CAST(${left.sql} AS VARCHAR)`, `CAST(${right.sql} AS VARCHAR)`);
  return { sql: `CASE WHEN ${isList(left)} AND ${isList(right)} THEN ${joined} END`, type: VARIANT };
}

function objectKeys(given: Given): Typed | undefined {
  const object = variant(given);
  if (object === undefined) return undefined;
  const keys = `list_sort(json_keys(${refuseElement(object.sql, 'OBJECT_KEYS')}))`;
  return { sql: `to_json(CASE WHEN json_type(${object.sql}) = 'OBJECT' THEN ${keys} END)`, type: VARIANT };
}

/** NULL if one of them is NULL. What an empty separator does is not known: DuckDB splits between all characters. */
function split(given: Given): Typed | undefined {
  const separator = text(given, 1);
  const known = value(given, 1).text;
  const parts = `to_json(string_split(${text(given, 0)}, ${separator}))`;
  if (known !== undefined) return known === '' ? undefined : { sql: parts, type: VARIANT };
  const message = quoteText('Millrace does not support SPLIT at an empty separator');
  return {
    sql: `CASE WHEN ${separator} = '' THEN CAST(error(${message}) AS JSON) WHEN ${separator} <> '' THEN ${parts} END`,
    type: VARIANT,
  };
}

/** The texts of dates and times in semi-structured data, which have lost their types. */
const MOMENT = String.raw`\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d\.\d{3}(?: \+0000)?)?|\d\d:\d\d:\d\d`;

const typeNames: Readonly<Record<string, string>> = {
  BOOLEAN: 'BOOLEAN',
  ARRAY: 'ARRAY',
  OBJECT: 'OBJECT',
  NULL: 'NULL_VALUE',
  BIGINT: 'INTEGER',
  UBIGINT: 'INTEGER',
};

function typeOf(given: Given): Typed | undefined {
  const found = variant(given);
  if (found === undefined) return undefined;
  const branches = Object.entries(typeNames).map(([json, name]) => `WHEN '${json}' THEN '${name}'`);
  const written = `CAST(${found.sql} AS VARCHAR)`;
  // DuckDB has no type for whole numbers of more than 64 bits.
  const isMoment = `regexp_full_match(${found.sql} ->> '$', '${MOMENT}')`;
  const message = quoteText('Millrace does not support TYPEOF of a text that may be a date or a time');
  const named = `CASE WHEN ${isMoment} THEN error(${message}) ELSE 'VARCHAR' END`;
  const number = `CASE WHEN contains(${written}, 'e') THEN 'DOUBLE' WHEN contains(${written}, '.') THEN 'DECIMAL' ELSE 'INTEGER' END`;
  return {
    sql: `CASE json_type(${found.sql}) WHEN 'VARCHAR' THEN ${named} ${branches.join(' ')} WHEN 'DOUBLE' THEN ${number} END`,
    type: TEXT,
  };
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
  TO_VARIANT: one({ arguments: [1, 1], write: (given) => toVariant(value(given), given.at, given.writing) }),
  TO_JSON: one({
    arguments: [1, 1],
    showsTypes: true,
    write: (given) => {
      const found = variant(given);
      return found && { sql: jsonTextSql(found.sql, `CAST(${found.sql} AS VARCHAR)`), type: TEXT };
    },
  }),
  IS_NULL_VALUE: one({
    arguments: [1, 1],
    write: (given) => {
      const found = variant(given);
      return found && { sql: `(json_type(${found.sql}) = 'NULL')`, type: BOOLEAN };
    },
  }),
  SPLIT: one({ arguments: [2, 2], write: split }),
  ARRAY_TO_STRING: one({ arguments: [2, 2], showsTypes: true, write: arrayToString }),
  TO_ARRAY: one({ arguments: [1, 1], write: toArray }),
  ARRAY_CONTAINS: one({ arguments: [2, 2], write: arrayContains }),
  ARRAY_APPEND: one({ arguments: [2, 2], write: arrayAppend }),
  ARRAY_CAT: one({ arguments: [2, 2], write: arrayConcat }),
  OBJECT_KEYS: one({ arguments: [1, 1], write: objectKeys }),
  TYPEOF: one({ arguments: [1, 1], showsTypes: true, write: typeOf }),
};
