import { isRecord } from '../../../../lib/core/values/is-record.ts';
import type { Schema } from './schema.ts';

export type Schemas = Readonly<Record<string, Schema>>;

type Fields = Readonly<Record<string, unknown>>;

function isOfType(value: unknown, type: Schema['type']): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

function isOfFormat(text: string, format: Schema['format']): boolean {
  if (format === undefined) return true;
  return format === 'uri' ? URL.canParse(text) : !Number.isNaN(Date.parse(text));
}

function limits(value: unknown, schema: Schema): string[] {
  const { minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity } = schema;
  const { minimum = -Infinity, maximum = Infinity, pattern, format } = schema;
  if (typeof value === 'string') {
    return [
      ...(value.length < minLength ? [`is shorter than ${String(minLength)}`] : []),
      ...(value.length > maxLength ? [`is longer than ${String(maxLength)}`] : []),
      ...(pattern === undefined || new RegExp(pattern, 'u').test(value) ? [] : [`does not match ${pattern}`]),
      ...(isOfFormat(value, format) ? [] : [`is not a valid ${String(format)}`]),
    ];
  }
  if (Array.isArray(value)) {
    const fits = value.length >= minItems && value.length <= maxItems;
    return fits
      ? []
      : [`has ${String(value.length)} items, allowed are ${String(minItems)} to ${String(maxItems)}`];
  }
  if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return [];
  return [`is not between ${String(minimum)} and ${String(maximum)}`];
}

/**
 * What is wrong with a value, one sentence each. Stricter than JSON Schema in one thing: where a schema names the
 * keys of an object, another key is an error, for GitHub would pass over it without a word.
 */
export function checkValue(value: unknown, schema: Schema, schemas: Schemas, at = 'it'): string[] {
  const resolve = (given: Schema): Schema => {
    if (given.$ref === undefined) return given;
    const found = schemas[given.$ref];
    if (found === undefined) throw new Error(`no schema ${given.$ref}`);
    return resolve(found);
  };

  /** Keys that may stand in an object; `undefined` where any may. */
  function keysOf(given: Schema): Set<string> | undefined {
    const { properties, additionalProperties, oneOf = [], anyOf = [], allOf = [] } = resolve(given);
    const branches = [...oneOf, ...anyOf, ...allOf].map(keysOf);
    if (properties === undefined && branches.length === 0) return undefined;
    if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
    if (properties === undefined && branches.includes(undefined)) return undefined;
    return new Set([...Object.keys(properties ?? {}), ...branches.flatMap((keys) => [...(keys ?? [])])]);
  }

  function unknownKeys(fields: Fields, given: Schema): string[] {
    const known = keysOf(given);
    if (known === undefined) return [];
    return Object.keys(fields)
      .filter((key) => !known.has(key))
      .map((key) => `${at}.${key} is unknown to GitHub`);
  }

  function fieldsOf(
    fields: Fields,
    { properties = {}, required = [], additionalProperties }: Schema,
  ): string[] {
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    return [
      ...required.filter((key) => fields[key] === undefined).map((key) => `${at}.${key} is missing`),
      ...Object.entries(fields).flatMap(([key, inner]) => {
        const own = properties[key] ?? others;
        return own === undefined ? [] : checkValue(inner, own, schemas, `${at}.${key}`);
      }),
    ];
  }

  function shape(given: Schema): string[] {
    const { allOf = [], oneOf = [], anyOf = [], ...own } = resolve(given);
    if (value === null && (own.nullable === true || own.enum?.includes(null) === true)) return [];
    if (!isOfType(value, own.type)) return [`${at} is not of type ${String(own.type)}`];
    if (own.enum !== undefined && !own.enum.includes(value))
      return [`${at} is none of ${own.enum.join(', ')}`];
    const { items } = own;
    const alternatives = [oneOf, anyOf].filter((list) => list.length > 0);
    return [
      ...limits(value, own).map((words) => `${at} ${words}`),
      ...(Array.isArray(value) && items !== undefined
        ? value.flatMap((item, index) => checkValue(item, items, schemas, `${at}[${String(index)}]`))
        : []),
      ...(isRecord(value) ? fieldsOf(value, own) : []),
      ...allOf.flatMap(shape),
      // GitHub's alternatives overlap, so one that fits is enough.
      ...alternatives.flatMap((list) => {
        const found = list.map(shape);
        return found.some((wrong) => wrong.length === 0) ? [] : (found[0] ?? []);
      }),
    ];
  }

  return [...shape(schema), ...(isRecord(value) ? unknownKeys(value, schema) : [])];
}
