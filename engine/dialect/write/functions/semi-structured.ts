import { compareTexts } from '../../../../lib/core/text/compare-texts.ts';
import { castToShape } from '../casts/shapes.ts';
import {
  elementSql,
  takenElementSql,
  UNDEFINED_JSON,
  jsonTextSql,
} from '../../../duckdb/values/undefined-element.ts';

import {
  BOOLEAN,
  decimal,
  mayHaveFloat,
  quoteText,
  TEXT,
  type Typed,
  VARIANT,
  VARIANT_WITH_FLOAT,
} from '../sql/typed.ts';
import { type FunctionRule, type TypedCall, type Rules, text } from './rule.ts';
import { parsed, toVariant } from '../casts/variant.ts';
import { expandStar } from '../sql/star.ts';
import { refusal } from '../sql/writing.ts';
import { refuseElement } from './xml.ts';

function value(call: TypedCall, index = 0): Typed {
  const argument = call.values[index];
  if (argument === undefined) throw new Error('no such argument');
  return argument;
}

function variant(call: TypedCall, index = 0): Typed | undefined {
  const argument = value(call, index);
  return argument.type.name === 'VARIANT' || argument.type.name === 'NULL'
    ? toVariant(argument, call.at, call.writing)
    : undefined;
}

/** The blanks of JSON. */
const BLANKS = String.raw`E' \t\r\n'`;

function parseJson(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 1],
    warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
    write: (call) => parsed(`nullif(trim(${text(call, 0)}, ${BLANKS}), '')`, isTry),
  };
}

/**
 * An object without the members that are NULL; keys are sorted, as the warehouse sorts them. With `*`, the columns are its
 * members.
 */
function objectConstruct(call: TypedCall): Typed | undefined {
  const { star } = call.parsed;
  const columns = star === undefined ? [] : expandStar(star, call.writing);
  const members = columns.map(({ name, value: column }): [string, Typed] => [name, column]);
  for (let index = 0; index < call.values.length; index += 2) {
    const key = value(call, index).text;
    const member = call.values[index + 1];
    if (key === undefined || member === undefined) return undefined;
    members.push([key, member]);
  }
  const keys = members.map(([key]) => key);
  if (new Set(keys).size < keys.length) return undefined;
  if (keys.includes('@') && keys.includes('$') && keys.every((key) => /^[@$]/.test(key)))
    throw refusal(
      'OBJECT_CONSTRUCT with the keys @ and $, the form of an XML element',
      call.at,
      call.writing,
      'PARSE_XML gives an element',
    );
  members.sort(([a], [b]) => compareTexts(a, b));
  if (members.length === 0) return { sql: `CAST('{}' AS JSON)`, type: VARIANT };
  const parts = members.map(
    ([key, member]) =>
      `(${quoteText(`${JSON.stringify(key)}:`)} || CAST(${toVariant(member, call.at, call.writing).sql} AS VARCHAR))`,
  );
  const hasFloat = members.some(([, member]) => mayHaveFloat(member.type));
  return {
    sql: `CAST('{' || concat_ws(',', ${parts.join(', ')}) || '}' AS JSON)`,
    type: hasFloat ? VARIANT_WITH_FLOAT : VARIANT,
  };
}

function arrayConstruct(call: TypedCall): Typed {
  const items = call.values.map((item) => elementSql(toVariant(item, call.at, call.writing).sql));
  if (items.length === 0) return { sql: `CAST('[]' AS JSON)`, type: VARIANT };
  // DuckDB's JSON functions read a decimal as a DOUBLE: joined as texts, numbers keep their digits.
  const texts = items.map((item) => `CAST(${item} AS VARCHAR)`);
  return { sql: `CAST('[' || concat_ws(',', ${texts.join(', ')}) || ']' AS JSON)`, type: VARIANT };
}

function arraySize(call: TypedCall): Typed | undefined {
  const array = variant(call);
  if (array === undefined) return undefined;
  const sql = `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN CAST(json_array_length(${array.sql}) AS BIGINT) END`;
  return { sql, type: decimal(9, 0), isInteger: true };
}

function get(call: TypedCall): Typed | undefined {
  const container = variant(call);
  const { text: key, number } = value(call, 1);
  if (container === undefined) return undefined;
  if (number !== undefined && /^\d+$/.test(number))
    return { sql: takenElementSql(`(${container.sql} -> '$[${number}]')`), type: VARIANT };
  if (key === undefined || /["\\]/.test(key)) return undefined;
  return { sql: `(${container.sql} -> ${quoteText(`$."${key}"`)})`, type: VARIANT };
}

/** An array as a list of JSON values; NULL if the value is not an array. */
function listSql(array: Typed): string {
  // The list is cast to its type, because DuckDB takes the list of a NULL for a single value.
  return `CAST(CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN json_extract(${array.sql}, '$[*]') END AS JSON[])`;
}

/** The items as texts; an SQL NULL is an empty text, a JSON null an error. DuckDB needs a literal as the separator. */
function arrayToString(call: TypedCall): Typed | undefined {
  const array = variant(call);
  const separator = value(call, 1);
  if (separator.type.name === 'NULL') return { sql: 'CAST(NULL AS VARCHAR)', type: TEXT };
  if (array === undefined || separator.text === undefined) return undefined;
  const message = quoteText('Millrace does not support ARRAY_TO_STRING of a JSON null');
  const empty = `CASE WHEN item = 'null' THEN error(${message}) WHEN item = '${UNDEFINED_JSON}' THEN '' END`;
  const shown = jsonTextSql('item', "(item ->> '$')");
  const texts = `list_transform(${listSql(array)}, lambda item: coalesce(${empty}, ${shown}))`;
  return { sql: `array_to_string(${texts}, ${text(call, 1)})`, type: TEXT };
}

function toArray(call: TypedCall): Typed {
  return castToShape(value(call), { name: 'VARIANT', shape: 'ARRAY' }, call.at, call.writing);
}

function arrayContains(call: TypedCall): Typed | undefined {
  const item = value(call);
  const array = variant(call, 1);
  if (array === undefined || item.type.name !== 'VARIANT') return undefined;
  // An SQL NULL that is not found gives NULL.
  const contains = `list_contains(${listSql(array)}, ${elementSql(item.sql)})`;
  return { sql: `CASE WHEN ${contains} OR ${item.sql} IS NOT NULL THEN ${contains} END`, type: BOOLEAN };
}

/** The array with the items of two arrays, from their canonical texts, which have no spaces. */
function joinedArrays(a: string, b: string): string {
  const start = `CASE WHEN ${a} = '[]' OR ${b} = '[]' THEN left(${a}, length(${a}) - 1) ELSE left(${a}, length(${a}) - 1) || ',' END`;
  return `CAST(${start} || substr(${b}, 2) AS JSON)`;
}

/** NULL stays NULL. A value that is not an array is refused when it occurs. */
function arrayAppend(call: TypedCall): Typed | undefined {
  const array = variant(call);
  if (array === undefined) return undefined;
  const item = elementSql(toVariant(value(call, 1), call.at, call.writing).sql);
  const added = joinedArrays(`CAST(${array.sql} AS VARCHAR)`, `('[' || CAST(${item} AS VARCHAR) || ']')`);
  const message = quoteText('Millrace does not support ARRAY_APPEND to a value that is not an array');
  const other = `CASE WHEN ${array.sql} IS NOT NULL THEN CAST(error(${message}) AS JSON) END`;
  return {
    sql: `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN ${added} ELSE ${other} END`,
    type: VARIANT,
  };
}

function arrayConcat(call: TypedCall): Typed | undefined {
  const [left, right] = [variant(call), variant(call, 1)];
  if (left === undefined || right === undefined) return undefined;
  const isList = ({ sql }: Typed) => `json_type(${sql}) = 'ARRAY'`;
  const joined = joinedArrays(`CAST(${left.sql} AS VARCHAR)`, `CAST(${right.sql} AS VARCHAR)`);
  return { sql: `CASE WHEN ${isList(left)} AND ${isList(right)} THEN ${joined} END`, type: VARIANT };
}

function objectKeys(call: TypedCall): Typed | undefined {
  const object = variant(call);
  if (object === undefined) return undefined;
  const keys = `list_sort(json_keys(${refuseElement(object.sql, 'OBJECT_KEYS')}))`;
  return { sql: `to_json(CASE WHEN json_type(${object.sql}) = 'OBJECT' THEN ${keys} END)`, type: VARIANT };
}

/** NULL if one argument is NULL. No page says what an empty separator does; DuckDB splits between all characters. */
function split(call: TypedCall): Typed | undefined {
  const separator = text(call, 1);
  const literalSeparator = value(call, 1).text;
  const parts = `to_json(string_split(${text(call, 0)}, ${separator}))`;
  if (literalSeparator !== undefined)
    return literalSeparator === '' ? undefined : { sql: parts, type: VARIANT };
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

function typeOf(call: TypedCall): Typed | undefined {
  const argument = variant(call);
  if (argument === undefined) return undefined;
  const branches = Object.entries(typeNames).map(([json, name]) => `WHEN '${json}' THEN '${name}'`);
  const written = `CAST(${argument.sql} AS VARCHAR)`;
  // DuckDB has no type for whole numbers of more than 64 bits.
  const isMoment = `regexp_full_match(${argument.sql} ->> '$', '${MOMENT}')`;
  const message = quoteText('Millrace does not support TYPEOF of a text that may be a date or a time');
  const named = `CASE WHEN ${isMoment} THEN error(${message}) ELSE 'VARCHAR' END`;
  const number = `CASE WHEN contains(${written}, 'e') THEN 'DOUBLE' WHEN contains(${written}, '.') THEN 'DECIMAL' ELSE 'INTEGER' END`;
  return {
    sql: `CASE json_type(${argument.sql}) WHEN 'VARCHAR' THEN ${named} ${branches.join(' ')} WHEN 'DOUBLE' THEN ${number} END`,
    type: TEXT,
  };
}

function onlyKindOne(rule: FunctionRule): FunctionRule {
  return { ...rule, only: 'WAREHOUSE_ONE' };
}

/** Functions that read and build semi-structured values. */
export const SEMI_STRUCTURED: Rules = {
  PARSE_JSON: onlyKindOne(parseJson(false)),
  TRY_PARSE_JSON: onlyKindOne(parseJson(true)),
  OBJECT_CONSTRUCT: onlyKindOne({ arguments: [0, Infinity], takesStar: 'columns', write: objectConstruct }),
  ARRAY_CONSTRUCT: onlyKindOne({ arguments: [0, Infinity], write: arrayConstruct }),
  ARRAY_SIZE: onlyKindOne({ arguments: [1, 1], write: arraySize }),
  GET: onlyKindOne({ arguments: [2, 2], write: get }),
  TO_VARIANT: onlyKindOne({
    arguments: [1, 1],
    write: (call) => toVariant(value(call), call.at, call.writing),
  }),
  TO_JSON: onlyKindOne({
    arguments: [1, 1],
    showsTypes: true,
    write: (call) => {
      const argument = variant(call);
      return argument && { sql: jsonTextSql(argument.sql, `CAST(${argument.sql} AS VARCHAR)`), type: TEXT };
    },
  }),
  IS_NULL_VALUE: onlyKindOne({
    arguments: [1, 1],
    write: (call) => {
      const argument = variant(call);
      return argument && { sql: `(json_type(${argument.sql}) = 'NULL')`, type: BOOLEAN };
    },
  }),
  SPLIT: onlyKindOne({ arguments: [2, 2], write: split }),
  ARRAY_TO_STRING: onlyKindOne({ arguments: [2, 2], showsTypes: true, write: arrayToString }),
  TO_ARRAY: onlyKindOne({ arguments: [1, 1], write: toArray }),
  ARRAY_CONTAINS: onlyKindOne({ arguments: [2, 2], write: arrayContains }),
  ARRAY_APPEND: onlyKindOne({ arguments: [2, 2], write: arrayAppend }),
  ARRAY_CAT: onlyKindOne({ arguments: [2, 2], write: arrayConcat }),
  OBJECT_KEYS: onlyKindOne({ arguments: [1, 1], write: objectKeys }),
  TYPEOF: onlyKindOne({ arguments: [1, 1], showsTypes: true, write: typeOf }),
};
