import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { isList } from '../../../lib/core/values/is-list.ts';
import {
  JsonNull,
  LongDecimal,
  parseJson,
  type SqlType,
  type Value,
  writtenText,
} from '../../../engine/index.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { type Decimal, isNear, parseDecimal, writeDecimal } from '../../../lib/core/values/decimal.ts';

/** A value in the form for comparison: equal keys mean equal values. `number` is set if a tolerance may apply. */
export interface Comparable {
  readonly key: string;
  readonly number?: Decimal;
}

const numericTypes: ReadonlySet<SqlType['name']> = new Set([
  'NUMBER',
  'FLOAT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
]);
const nothing: Comparable = { key: 'null' };
const wholeJsonNull: Comparable = { key: 'JSON null' };

/** Converts an expected cell for a column of this type. A missing cell is null. */
export function comparableOfNode(node: YamlNode | undefined, type: SqlType): Comparable {
  if (node === undefined) return nothing;
  if (type.name === 'VARIANT') return isJsonNull(node) ? wholeJsonNull : comparableOfTree(node);
  if (node.kind !== 'scalar') return { key: `tree:${comparableOfTree(node).key}` };
  const { value, text } = node;
  if (value === null) return nothing;
  if (typeof value === 'number') return comparableNumber(writtenNumber(text, value, type), value);
  if (typeof value === 'boolean') return { key: `boolean:${value}` };
  return { key: textKey(value, type) };
}

/**
 * Whether an expected cell of a semi-structured column is `{ jsonNull: true }`, a JSON null. Plain null means an
 * SQL NULL.
 */
export function isJsonNull(node: YamlNode | undefined): boolean {
  if (node?.kind !== 'map' || node.entries.size !== 1) return false;
  const value = node.entries.get('jsonNull')?.value;
  return value?.kind === 'scalar' && value.value === true;
}

/** How an SQL NULL inside a list is compared. Expected rows write null for it, as for a JSON null. */
export type MissingItem = 'as null' | 'as itself';

/** Converts a cell of the warehouse for comparison. */
export function comparableOfValue(
  value: Value,
  type: SqlType,
  missingItem: MissingItem = 'as null',
): Comparable {
  if (type.name === 'VARIANT') return comparableOfData(value, missingItem);
  if (value === null) return nothing;
  if (typeof value === 'object') return { key: `tree:${comparableOfData(value, missingItem).key}` };
  if (typeof value === 'boolean') return { key: `boolean:${value}` };
  if (numericTypes.has(type.name)) return comparableNumber(String(value), Number(value));
  return { key: storedKey(String(value), type) };
}

/**
 * Converts a cell of a column that has the type `other` in the table to compare with. Dates, times and numbers keep
 * their meaning; a text equals a value of the other type that is written the same.
 */
export function comparableAcross(value: Value, type: SqlType, other: SqlType): Comparable {
  // Both are NULL as a value of another type.
  if (value instanceof JsonNull) return nothing;
  if (!holdsTexts(type) || value === null) return comparableOfValue(value, type, 'as itself');
  if (value instanceof LongDecimal)
    return holdsTexts(other) ? { key: `text:${value.text}` } : ofLongDecimal(value);
  if (typeof value === 'object') return { key: `tree:${comparableOfData(value, 'as itself').key}` };
  if (holdsTexts(other)) return { key: treeKey(String(value)) ?? `text:${String(value)}` };
  if (typeof value === 'string') return readAs(value, other);
  return typeof value === 'boolean'
    ? { key: `boolean:${value}` }
    : comparableNumber(String(value), Number(value));
}

function holdsTexts({ name }: SqlType): boolean {
  return name === 'VARCHAR' || name === 'VARIANT';
}

/** A text as a value of a type, if it is written as one: `007` is not a number, because a number has no zeros before it. */
function readAs(text: string, type: SqlType): Comparable {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
  if (numericTypes.has(type.name) && isNumber)
    return comparableNumber(writtenNumber(text, Number(text), type), Number(text));
  if (type.name === 'FLOAT' && /^-?\d(?:\.\d+)?e[+-]\d{2,3}$/.test(text))
    return comparableNumber(writtenNumber(text, Number(text), type), Number(text));
  // The text of an infinite FLOAT in kind 1; in kind 2 it is written as in a file.
  if (type.name === 'FLOAT' && /^-?inf$/.test(text))
    return { key: `number:${text}inity`.replace('inf', 'Inf') };
  if (type.name === 'BOOLEAN' && (text === 'true' || text === 'false')) return { key: `boolean:${text}` };
  return { key: textKey(text, type) };
}

/** A list or a map that is written as JSON; undefined for any other text. */
function treeKey(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return `tree:${comparableOfData(parseJson(text), 'as itself').key}`;
  } catch {
    return undefined;
  }
}

export function areEqual(a: Comparable, b: Comparable, tolerance: Decimal): boolean {
  if (a.key === b.key) return true;
  return (
    a.number !== undefined &&
    b.number !== undefined &&
    tolerance.units > 0n &&
    isNear(a.number, b.number, tolerance)
  );
}

/** A FLOAT may be written with more digits than it keeps: its shortest text is what counts. */
function writtenNumber(text: string, value: number, { name }: SqlType): string {
  return name === 'FLOAT' && Number.isFinite(value) ? String(value) : text;
}

/** Hexadecimal and octal numbers may have more digits than a number of JavaScript. */
const isPrefixed = /^0[xo]/;

function comparableNumber(text: string, value: number): Comparable {
  const number = parseDecimal(text) ?? parseDecimal(String(isPrefixed.test(text) ? BigInt(text) : value));
  // Only a FLOAT is not a number or infinite.
  if (number === undefined) return { key: `number:${String(value)}` };
  return { key: `number:${writeDecimal(number)}`, number };
}

/** Texts by their letters; dates, times, bytes and what is not a number by their meaning if the column has such a type. */
function textKey(text: string, type: SqlType): string {
  const { name } = type;
  if (name === 'FLOAT') {
    const number = writtenText(text, type);
    return number !== undefined && !Number.isFinite(Number(number)) ? `number:${number}` : `text:${text}`;
  }
  return momentTypes.has(name) || name === 'BINARY'
    ? storedKey(writtenText(text, type) ?? text, type)
    : `text:${text}`;
}

const momentTypes: ReadonlySet<SqlType['name']> = new Set(['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_TZ']);

/** The same for a text that the warehouse has. A timestamp at midnight equals its date. */
function storedKey(text: string, { name }: SqlType): string {
  if (name === 'BINARY') return `binary:${text}`;
  if (!momentTypes.has(name)) return `text:${text}`;
  const inUtc = text.endsWith('+00:00') ? text.slice(0, -6) : text;
  return `moment:${inUtc.endsWith(' 00:00:00') ? inUtc.slice(0, -9) : inUtc}`;
}

/** Semi-structured values: lists in order, maps in any order, numbers by value. */
function comparableOfTree(node: YamlNode): Comparable {
  if (node.kind === 'list')
    return { key: `[${node.items.map((item) => comparableOfTree(item).key).join()}]` };
  if (node.kind === 'map') {
    return mapOf([...node.entries].map(([key, entry]) => [key, comparableOfTree(entry.value)] as const));
  }
  return node.value === null ? nothing : ofScalar(node.value, node.text);
}

function comparableOfData(value: Value | undefined, missingItem: MissingItem): Comparable {
  if (value === undefined) return missingItem === 'as null' ? nothing : { key: 'undefined' };
  if (value === null) return nothing;
  if (value instanceof JsonNull) return wholeJsonNull;
  if (value instanceof LongDecimal) return ofLongDecimal(value);
  if (typeof value !== 'object') return ofScalar(value, String(value));
  const ofPart = (part: Value | undefined) => comparableOfData(part, missingItem);
  if (isList(value)) return { key: `[${value.map((item) => ofPart(item).key).join()}]` };
  return mapOf(Object.entries(value).map(([key, item]) => [key, ofPart(item)] as const));
}

function ofLongDecimal({ text }: LongDecimal): Comparable {
  return comparableNumber(text, Number(text));
}

function ofScalar(value: string | number | bigint | boolean, text: string): Comparable {
  if (typeof value === 'string') return { key: JSON.stringify(value) };
  if (typeof value === 'boolean') return { key: String(value) };
  return comparableNumber(text, Number(value));
}

function mapOf(entries: readonly (readonly [key: string, value: Comparable])[]): Comparable {
  const sorted = entries.toSorted(([a], [b]) => compareTexts(a, b));
  return { key: `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value.key}`).join()}}` };
}
