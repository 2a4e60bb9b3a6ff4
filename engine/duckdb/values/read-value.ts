import { isList } from '../../../lib/core/values/is-list.ts';
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { isExactNumber } from '../../../lib/core/values/exact-number.ts';
import { JsonNull } from '../../core/json-null.ts';
import { LongDecimal } from '../../core/long-decimal.ts';
import { WrittenJson } from '../../core/written-json.ts';
import { byKey } from './canonical-json.ts';
import { canonicalNumber, canonicalText } from './json-texts.ts';
import type { Duckdb } from '../connection/load-duckdb.ts';
import { isUndefinedElement, UNDEFINED_JSON } from './undefined-element.ts';
import type { RowValue, Value } from '../connection/warehouse.ts';

/** Converts a value in a result of DuckDB to the form that the engine uses. See `Value`. */
export function readValue(duckdb: Duckdb, value: DuckDBValue, type: DuckDBType): Value {
  if (value === null) return null;
  if (typeof value === 'bigint') return readWhole(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return type.alias === 'JSON' ? parseJson(value) : value;
  return typeof value === 'boolean' ? value : readObject(duckdb, value, type);
}

function readObject(duckdb: Duckdb, value: DuckDBValue & object, type: DuckDBType): Value {
  if (value instanceof duckdb.DuckDBDecimalValue) {
    return value.scale === 0 ? readWhole(value.value) : value.toString();
  }
  if (value instanceof duckdb.DuckDBTimestampTZValue) {
    // DuckDB's own text of such a value has the offset of this process.
    return `${new duckdb.DuckDBTimestampValue(value.micros).toString()}+00:00`;
  }
  if (value instanceof duckdb.DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex').toUpperCase();
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
    const itemType = (type as { valueType?: DuckDBType }).valueType ?? type;
    return value.items.map((item) => readValue(duckdb, item, itemType));
  }
  if (value instanceof duckdb.DuckDBStructValue) return readStruct(duckdb, value.entries, type);
  if (value instanceof duckdb.DuckDBMapValue) {
    const valueType = (type as { valueType?: DuckDBType }).valueType ?? type;
    return Object.fromEntries(
      value.entries.map(({ key, value: item }) => [String(key), readValue(duckdb, item, valueType)]),
    );
  }
  // Dates, times, timestamps without a time zone, intervals, identifiers.
  return value.toString();
}

function readStruct(duckdb: Duckdb, entries: Readonly<Record<string, DuckDBValue>>, type: DuckDBType): Value {
  const { entryNames = [], entryTypes = [] } = type as {
    entryNames?: readonly string[];
    entryTypes?: readonly DuckDBType[];
  };
  return Object.fromEntries(
    entryNames.map((name, index) => [
      name,
      readValue(duckdb, entries[name] ?? null, entryTypes[index] ?? type),
    ]),
  );
}

function readWhole(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Parses JSON into maps and lists. Whole numbers and decimals keep all their digits. */
export function parseJson(text: string): Value {
  const read = (_key: string, value: Value, context?: { readonly source?: string }): Value =>
    typeof value === 'number' ? readNumber(value, context?.source ?? '') : value;
  if (!text.includes(UNDEFINED_JSON)) return JSON.parse(text, read) as Value;
  return JSON.parse(text, (key: string, value: Value, context?: { readonly source?: string }) => {
    const item = read(key, value, context);
    return isList(item) ? item.map((each) => (isUndefinedElement(each) ? undefined : each)) : item;
  }) as Value;
}

function readNumber(value: number, source: string): Value {
  if (/^-?\d+$/.test(source)) return readWhole(BigInt(source));
  // One with an exponent is a FLOAT.
  return /^-?\d+\.\d+$/.test(source) && !isExactNumber(source) ? new LongDecimal(source) : value;
}

/** The canonical form of a parsed JSON value, as `canonicalJson` writes it (the inverse of `parseJson`). */
export function writeJson(value: RowValue | undefined): string {
  if (value === undefined) return UNDEFINED_JSON;
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'string') return canonicalText(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof LongDecimal || value instanceof WrittenJson || value instanceof JsonNull)
    return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value).toSorted(byKey);
  return `{${members.map(([key, item]) => `${canonicalText(key)}:${writeJson(item)}`).join(',')}}`;
}
