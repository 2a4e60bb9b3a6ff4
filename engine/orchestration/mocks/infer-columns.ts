import { parseDecimal } from '../../../lib/core/values/decimal.ts';
import { SqlError } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import { SeenNumbers } from '../../core/number-type.ts';
import type { SqlType, WarehouseKind } from '../../core/sql-type.ts';
import type { Value } from '../../duckdb/connection/warehouse.ts';
import { type MockRow, WrittenCell } from './mock.ts';

/**
 * Chooses the types of columns from their values. Whole numbers get NUMBER(38,0), or INTEGER or BIGINT in
 * `WAREHOUSE_TWO`. Other numbers get NUMBER(38,s), where s is the largest number of decimal places. Lists and maps
 * get VARIANT, and texts get VARCHAR. A column of dates must declare its type. Throws SqlError for a column with
 * values of several types.
 */
export function inferColumns(rows: readonly MockRow[], warehouse: WarehouseKind): readonly Column[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => ({ name, type: typeOf(name, rows, warehouse) }));
}

function typeOf(name: string, rows: readonly MockRow[], warehouse: WarehouseKind): SqlType {
  const values = rows.flatMap((row) => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    return value === undefined || value === null ? [] : [value];
  });
  const kinds = new Set(values.map(kindOf));
  // Only a FLOAT is not a number, or infinite.
  if (kinds.has('FLOAT')) kinds.delete('NUMBER');
  const [kind, other] = kinds;
  if (other !== undefined) {
    throw new SqlError(`the column "${name}" has values of several types: declare its type in \`columns\``);
  }
  if (kind === 'VARIANT' || kind === 'BOOLEAN' || kind === 'FLOAT') return { name: kind };
  if (kind !== 'NUMBER') return { name: 'VARCHAR', length: undefined };
  const numbers = new SeenNumbers();
  for (const value of values) {
    const text = value instanceof WrittenCell ? value.text : typeof value === 'object' ? '' : String(value);
    const number = parseDecimal(text);
    if (number !== undefined) numbers.add(number, scaleOf(value));
  }
  return numbers.typeIn(warehouse);
}

function kindOf(value: Value | WrittenCell): SqlType['name'] {
  if (value instanceof WrittenCell) return value.type.name;
  if (typeof value === 'number' || typeof value === 'bigint') return 'NUMBER';
  if (typeof value === 'boolean') return 'BOOLEAN';
  return typeof value === 'string' ? 'VARCHAR' : 'VARIANT';
}

/** The decimal places of a number, as it is written, or as JavaScript writes it. */
function scaleOf(value: Value | WrittenCell): number {
  if (value instanceof WrittenCell) return value.type.name === 'NUMBER' ? value.type.scale : 0;
  if (typeof value !== 'number') return 0;
  const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, decimals.length - Number(exponent));
}
