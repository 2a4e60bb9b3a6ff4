import { parseDecimal } from '../../lib/core/values/decimal.ts';
import type { YamlNode, YamlScalar } from '../../lib/yaml/yaml-node.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { Value } from '../duckdb/connection/warehouse.ts';

/**
 * Columns of these types get numbers and boolean values as they are written. For example, `007` stays `007` and does
 * not become 7.
 */
const asWritten: ReadonlySet<SqlType['name']> = new Set([
  'VARCHAR',
  'BINARY',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_TZ',
]);

/**
 * Converts a cell to a value of the column's type, in the form in which the engine stores it. Numbers keep all their
 * digits.
 */
export function cellValue(node: YamlNode | undefined, type: SqlType): Value {
  if (node?.kind !== 'scalar' || type.name === 'VARIANT') return plainValue(node);
  const { value, text } = node;
  if (asWritten.has(type.name) && value !== null) return typeof value === 'string' ? value : text;
  return typeof value === 'number' && parseDecimal(text) !== undefined ? text : plainValue(node);
}

/**
 * The first number in a cell that would lose digits if it were stored as JSON, as in semi-structured data. Undefined
 * if there is no such number.
 */
export function changedNumber(node: YamlNode | undefined): YamlScalar | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'list') return firstOf(node.items);
  if (node.kind === 'map') return firstOf([...node.entries.values()].map((entry) => entry.value));
  if (typeof node.value !== 'number') return undefined;
  const value = plainValue(node);
  const kept = typeof value === 'object' ? undefined : parseDecimal(String(value));
  const written = parseDecimal(node.text) ?? kept;
  return kept !== undefined && kept.units === written?.units && kept.scale === written.scale
    ? undefined
    : node;
}

function firstOf(nodes: readonly YamlNode[]): YamlScalar | undefined {
  return nodes.map(changedNumber).find((node) => node !== undefined);
}

/** The value of a cell whose column has no known type. The type of the value follows from how it is written. */
export function plainValue(node: YamlNode | undefined): Value {
  if (node === undefined) return null;
  if (node.kind === 'list') return node.items.map(plainValue);
  if (node.kind === 'map') {
    return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plainValue(entry.value)]));
  }
  const { value, text } = node;
  if (typeof value !== 'number') return value;
  if (parseDecimal(text) === undefined && !Number.isFinite(value)) return String(value);
  const isLong = /^(?:[+-]?\d+|0x[\dA-Fa-f]+|0o[0-7]+)$/.test(text) && !Number.isSafeInteger(value);
  return isLong ? BigInt(text.replace(/^\+/, '')) : value;
}
