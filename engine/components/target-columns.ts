import { SqlError } from '../core/refusal.ts';
import type { Column, Table } from '../core/relation.ts';
import { castValue, storeValue } from '../dialect/convert-value.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import type { Binding, Input } from './component-type.ts';
import { findColumn } from './find-column.ts';
import { tableText } from './find-table.ts';
import { requiredCell, requiredRows } from './read-cells.ts';
import { copyCell, TEXT } from './select-list.ts';

/** A column of a target table, and its new value as DuckDB's SQL. */
export interface TargetColumn {
  /** The quoted name. */
  readonly name: string;
  readonly value: string;
}

/**
 * Reads the columns of a target table from rows `[input column, target column]`. `rows` is the name of the input's
 * rows in SQL. If `isCast` is true, a value is converted with a cast, otherwise as INSERT converts it.
 */
export function targetColumns(
  binding: Binding,
  key: string,
  options: {
    readonly input: Input;
    readonly rows: string;
    readonly target: Table;
    readonly isCast?: boolean;
  },
): readonly TargetColumn[] {
  const { input, rows, target, isCast = false } = options;
  const { dialect } = binding;
  const seen = new Set<string>();
  return requiredRows(binding, key).map((row) => {
    const from = requiredCell(row, 0, 'input column');
    const to = requiredCell(row, 1, 'target column');
    const value = copyCell(findColumn(input.columns, from, dialect, `the input "${input.name}"`), {
      sql: rows,
      columns: input.columns,
    });
    const column = findColumn(target.columns, to, dialect, `the table ${tableText(target)}`);
    if (seen.has(column.name)) {
      const message = `the target column "${column.name}" is mapped twice in ${row.parameter}; remove one of its two rows`;
      throw new SqlError(message, { place: to.placeOf(0) });
    }
    seen.add(column.name);
    dialect.noteColumn?.(target.sql, column.name);
    const place = from.placeOf(0);
    const stored =
      isCast && value.type.name !== column.type.name
        ? castValue(value, withoutLength(column), place, dialect).sql
        : storeValue(value, column, place, dialect);
    return { name: quoteName(column.name), value: stored };
  });
}

/**
 * The type without its length. A cast must not cut a text: if a text is too long, the table's own check must fail.
 */
function withoutLength({ type }: Column): Column['type'] {
  return type.name === 'VARCHAR' ? TEXT : type;
}
