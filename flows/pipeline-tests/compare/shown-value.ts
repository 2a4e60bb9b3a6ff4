import { isList } from '../../../lib/core/values/is-list.ts';
import { JsonNull, LongDecimal, type SqlType, type Value } from '../../../engine/index.ts';
import { parseDecimal, writeDecimal } from '../../../lib/core/values/decimal.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { isJsonNull } from './compare-values.ts';
import { exactNumber, jsonNullCell, sqlNullItem } from './exact-number.ts';
import type { Shown } from './test-result.ts';

/**
 * A value of the warehouse as data for JSON and YAML. A number stays a number if JavaScript can represent all its
 * digits.
 */
export function shownValue(value: Value, type: SqlType | undefined): Shown {
  const isNumber = type?.name === 'NUMBER' || type?.name === 'FLOAT';
  return isNumber && typeof value === 'string' ? shownNumber(value) : plain(value);
}

/** A number from its text, such as `NaN`, with all its digits. */
export function shownNumber(text: string): Shown {
  const number = Number(text);
  const [exact, kept] = [parseDecimal(text), parseDecimal(String(number))];
  const isKept = exact !== undefined && kept !== undefined && writeDecimal(exact) === writeDecimal(kept);
  return isKept ? number : exactNumber(text);
}

/** A value from a file, in the same form as `shownValue`. */
export function shownNode(node: YamlNode | undefined): Shown {
  if (node?.kind === 'list') return node.items.map(shownNode);
  if (node?.kind === 'map')
    return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, shownNode(value)]));
  if (node === undefined || typeof node.value !== 'number') return node?.value ?? null;
  // Hexadecimal numbers have no decimal text, and `.nan` has the name that the warehouse gives it.
  return parseDecimal(node.text) === undefined ? shownNumber(String(node.value)) : shownNumber(node.text);
}

/** An expected cell of a column, in the same form as `shownValue`. */
export function shownCell(node: YamlNode | undefined, type: SqlType | undefined): Shown {
  return type?.name === 'VARIANT' && isJsonNull(node) ? jsonNullCell : shownNode(node);
}

function plain(value: Value | undefined): Shown {
  if (value === undefined) return sqlNullItem;
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof JsonNull) return jsonNullCell;
  if (value instanceof LongDecimal) return exactNumber(value.text);
  if (isList(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
