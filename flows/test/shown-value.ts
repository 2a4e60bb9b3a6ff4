import type { SqlType, Value } from '../../engine/index.ts';
import type { Shown } from './test-result.ts';

/** A value of the warehouse as JSON and YAML data. Numbers stay numbers where JavaScript has all their digits. */
export function shownValue(value: Value, type: SqlType | undefined): Shown {
  if (type?.name === 'NUMBER' && typeof value === 'string') {
    const number = Number(value);
    return String(number) === value.replace(/\.?0+$/, '') ? number : value;
  }
  return plain(value);
}

function plain(value: Value): Shown {
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
