import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { Value } from '../duckdb/warehouse.ts';

/** A plain decimal: the only spelling that SQL and YAML share digit by digit. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** A cell as the engine takes it for a column of this type: numbers keep all their digits. */
export function cellValue(node: YamlNode | undefined, type: SqlType): Value {
  if (node?.kind !== 'scalar' || type.name === 'VARIANT') return plainValue(node);
  const { value, text } = node;
  if (type.name === 'VARCHAR' && value !== null) return typeof value === 'string' ? value : text;
  return typeof value === 'number' && plainNumber.test(text) ? text : plainValue(node);
}

/** A cell as data, by its form alone. */
export function plainValue(node: YamlNode | undefined): Value {
  if (node === undefined) return null;
  if (node.kind === 'list') return node.items.map(plainValue);
  if (node.kind === 'map') {
    return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plainValue(entry.value)]));
  }
  const { value, text } = node;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return String(value);
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}
