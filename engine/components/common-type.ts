import { type Place, SqlError } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { SqlType } from '../core/sql-type.ts';
import type { DialectContext } from '../dialect/dialect.ts';
import { translateCast } from '../dialect/translate.ts';
import { describeType } from '../duckdb/column-types.ts';
import { type Cell, TEXT, valueCell } from './select-list.ts';

/**
 * The type of an output column that several inputs have. Texts of different lengths are of one type; any other types
 * that differ are an error unless `isCast`.
 */
export function commonType(name: string, types: readonly SqlType[], isCast: boolean, place: Place): SqlType {
  return types.reduce((left, right) => {
    const same = sameType(left, right);
    if (same !== undefined) return same;
    if (isCast) return largerType(left, right);
    const both = `${describeType(left)} and ${describeType(right)}`;
    throw new SqlError(`the column "${name}" has the types ${both}, and castTypes is No`, { place });
  });
}

function sameType(left: SqlType, right: SqlType): SqlType | undefined {
  if (left.name === 'NULL') return right;
  if (right.name === 'NULL' || describeType(left) === describeType(right)) return left;
  if (left.name !== 'VARCHAR' || right.name !== 'VARCHAR') return undefined;
  if (left.length === undefined || right.length === undefined) return TEXT;
  return { name: 'VARCHAR', length: Math.max(left.length, right.length) };
}

/** Numbers become the larger type, dates become timestamps, and everything else becomes text. */
function largerType(left: SqlType, right: SqlType): SqlType {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  if (a !== undefined && b !== undefined) {
    const scale = Math.max(a.scale, b.scale);
    const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
    if (left.name !== 'NUMBER' && right.name !== 'NUMBER') return a.precision > b.precision ? left : right;
    return { name: 'NUMBER', precision: Math.min(38, whole + scale), scale };
  }
  const names = new Set([left.name, right.name]);
  if (names.has('FLOAT') && (a !== undefined || b !== undefined)) return { name: 'FLOAT' };
  return names.has('DATE') && names.has('TIMESTAMP') ? { name: 'TIMESTAMP' } : TEXT;
}

const wholeDigits = { SMALLINT: 5, INTEGER: 10, BIGINT: 19 } as const;

function digitsOf(type: SqlType): { readonly precision: number; readonly scale: number } | undefined {
  if (type.name === 'NUMBER') return type;
  const isWhole = type.name === 'SMALLINT' || type.name === 'INTEGER' || type.name === 'BIGINT';
  return isWhole ? { precision: wholeDigits[type.name], scale: 0 } : undefined;
}

/** A cell with another type. `at` is where the column is named. */
export function castCell(cell: Cell, type: SqlType, at: SourceText, dialect: DialectContext): Cell {
  if (describeType(cell.type) === describeType(type)) return cell;
  // No text is cut: a common length is that of the longest.
  if (cell.type.name === 'VARCHAR' && type.name === 'VARCHAR') return { ...cell, type };
  return valueCell(cell.name, translateCast(cell, type, at, dialect));
}
