import { shownText } from '../pipeline-tests/report/shown-text.ts';
import { shownValue } from '../pipeline-tests/compare/shown-value.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';
import type { RowChange } from './data-diff.ts';
import type { TableContent } from './table-content.ts';

/** Sorts the indices of rows by their values in some columns. */
export function byValues({ columns, rows }: TableContent, names: readonly string[]) {
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  const valueAt = (index: number, place: number) =>
    shownValue(rows[index]?.[place] ?? null, columns[place]?.type);
  return (a: number, b: number): number => {
    for (const place of places) {
      const order = compareValues(valueAt(a, place), valueAt(b, place));
      if (order !== 0) return order;
    }
    return a - b;
  };
}

/** Numbers by value, other values by their texts; null first. */
function compareValues(a: Shown, b: Shown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [shownText(a), shownText(b)];
  return Number(left > right) - Number(left < right);
}

/** Takes items alternately from two lists, so that a cut list has items of both. */
export function inTurn(added: readonly RowChange[], removed: readonly RowChange[]): readonly RowChange[] {
  return Array.from({ length: Math.max(added.length, removed.length) }, (_, index) =>
    [removed[index], added[index]].filter((row) => row !== undefined),
  ).flat();
}

/** Selects as many rows as fit. Changed rows leave half of the places to added and removed rows if those need them. */
export function cutRows(
  changed: readonly RowChange[],
  others: readonly RowChange[],
  max: number,
): readonly RowChange[] {
  const first = changed.slice(0, Math.max(Math.ceil(max / 2), max - others.length));
  return [...first, ...others.slice(0, max - first.length)];
}
