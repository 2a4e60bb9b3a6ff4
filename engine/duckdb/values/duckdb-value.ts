import type { DuckDBValue } from '@duckdb/node-api';
import type { SqlType, WarehouseKind } from '../../core/sql-type.ts';
import type { Duckdb } from '../connection/load-duckdb.ts';
import type { Value } from '../connection/warehouse.ts';
import { writeJson } from './read-value.ts';
import { surelyFits } from './surely-fits.ts';

/** The value in DuckDB's own form; undefined for a value that the column may not hold as it is. */
export type DirectReader = (value: Exclude<Value, null>) => DuckDBValue | undefined;

/**
 * Reads the values of a column that are values of its type without a doubt, in the form in which DuckDB stores them. DuckDB converts
 * a text to NUMBER(38, 0) in 16 µs, twenty times what everything else takes.
 */
export function directReader(duckdb: Duckdb, type: SqlType, kind: WarehouseKind): DirectReader {
  const fits = surelyFits(type, kind) ?? (() => false);
  const ofText = (read: (text: string) => DuckDBValue): DirectReader => {
    return (value) => {
      if (typeof value === 'object') return undefined;
      const text = textOf(value);
      return fits(text) ? read(text) : undefined;
    };
  };
  switch (type.name) {
    case 'NUMBER':
      return ofText(decimalReader(duckdb, type));
    case 'SMALLINT':
    case 'INTEGER':
      return ofText(Number);
    case 'BIGINT':
      return ofText(BigInt);
    case 'FLOAT': {
      const ofWritten = ofText(Number);
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : ofWritten(value));
    }
    case 'BOOLEAN': {
      const ofWritten = ofText((text) => text === 'true');
      return (value) => (typeof value === 'boolean' ? value : ofWritten(value));
    }
    case 'DATE':
      return ofText((text) => new duckdb.DuckDBDateValue(Date.parse(`${text}T00:00:00Z`) / DAY_MS));
    case 'TIME':
      return ofText((text) => new duckdb.DuckDBTimeValue(microseconds(`1970-01-01 ${text}`)));
    case 'TIMESTAMP':
      return ofText((text) => new duckdb.DuckDBTimestampValue(microseconds(text)));
    case 'TIMESTAMP_TZ':
      return ofText((text) => new duckdb.DuckDBTimestampTZValue(microseconds(text)));
    case 'VARCHAR':
      return ofText((text) => text);
    case 'VARIANT':
      return (value) => (type.shape === undefined ? writeJson(value) : undefined);
    case 'BINARY':
    case 'NULL':
      return () => undefined;
  }
}

function textOf(value: Exclude<Value, null | object>): string {
  if (typeof value === 'string') return value;
  return Object.is(value, -0) ? '-0' : String(value);
}

function decimalReader(
  { DuckDBDecimalValue }: Duckdb,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): (text: string) => DuckDBValue {
  return (text) => {
    const point = text.indexOf('.');
    const whole = point < 0 ? text : text.slice(0, point);
    const fraction = point < 0 ? '' : text.slice(point + 1);
    const units = scale === 0 ? text : whole + fraction.padEnd(scale, '0');
    return new DuckDBDecimalValue(BigInt(units), precision, scale);
  };
}

const DAY_MS = 86_400_000;
const MICROSECONDS = 1_000_000n;

/** Where the parts of `YYYY-MM-DD hh:mm:ss.ffffff` begin, which may have an offset of zero at its end. */
const place = { time: 11, point: 19, fraction: 20 };

/** Since 1970. */
function microseconds(text: string): bigint {
  const ms = Date.parse(`${text.slice(0, place.time - 1)}T${text.slice(place.time, place.point)}Z`);
  const end = text.endsWith('+00:00') ? text.length - 6 : text.length;
  const fraction = text.slice(place.fraction, end).padEnd(6, '0');
  return BigInt(ms / 1000) * MICROSECONDS + BigInt(Number(fraction));
}
