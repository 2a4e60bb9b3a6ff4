import { comparableAcross, comparableOfValue } from '../pipeline-tests/compare/compare-values.ts';
import type { KeyedRows } from './find-key.ts';
import type { TableContent } from './table-content.ts';

/** The rows of two tables, in the columns that both have. Each value is a text; equal texts mean equal values. */
export interface ComparedRows {
  readonly names: readonly string[];
  readonly before: KeyedRows;
  readonly after: KeyedRows;
}

/**
 * Prepares the rows of two tables for comparison. If a column's type differs between the sides, its values are
 * compared by meaning, such as a date and its text.
 */
export function comparedRows(left: TableContent, right: TableContent): ComparedRows {
  const names = left.columns.flatMap(({ name }) => (columnIn(right, name) === undefined ? [] : [name]));
  return { names, before: keyedRows(left, right, names), after: keyedRows(right, left, names) };
}

function keyedRows(content: TableContent, other: TableContent, names: readonly string[]): KeyedRows {
  const cells = names.flatMap((name) => {
    const [column, opposite] = [columnIn(content, name), columnIn(other, name)];
    return column === undefined || opposite === undefined
      ? []
      : [{ place: content.columns.indexOf(column), type: column.type, otherType: opposite.type }];
  });
  return content.rows.map((row) =>
    cells.map(({ place, type, otherType }) => {
      const value = row[place] ?? null;
      const comparable =
        type.name === otherType.name
          ? comparableOfValue(value, type, 'as itself')
          : comparableAcross(value, type, otherType);
      return comparable.key;
    }),
  );
}

function columnIn({ columns }: TableContent, name: string) {
  return columns.find((column) => column.name === name);
}
