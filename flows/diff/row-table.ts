import { oneLine } from '../../lib/core/sanitize-text.ts';
import { shownText } from '../test/row-lines.ts';
import type { Shown } from '../test/test-result.ts';
import type { RowChange, TableChange } from './data-diff.ts';

/** More rows are only counted in a report for people. */
const maxRows = 20;
/** More columns are not shown in a report for people. */
const maxColumns = 8;

/**
 * The changed rows of a table, one on a line: `~` marks one with other values, `+` one that was added, `-` one that was
 * removed. A changed cell shows both values. Columns are those of the key, then those that change, then others.
 */
export function rowTable({ rows, key, cells, added, removed, changed }: TableChange): readonly string[] {
  const shown = rows.slice(0, maxRows);
  const all = [
    ...new Set([
      ...key,
      ...Object.keys(cells),
      ...shown.flatMap(({ before, after }) => keysOf(before, after)),
    ]),
  ];
  const columns = all.slice(0, maxColumns);
  const lines = shown.map((row) => ({
    mark: markOf(row),
    cells: columns.map((name) => cellText(row, name)),
  }));
  const widths = columns.map((name, index) =>
    Math.max(oneLine(name).length, ...lines.map((line) => line.cells[index]?.length ?? 0)),
  );
  const line = (mark: string, texts: readonly string[]) =>
    `${mark} ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd();
  const more = added + removed + changed - shown.length;
  const left = all.length - columns.length;
  return shown.length === 0
    ? []
    : [
        line(' ', columns.map(oneLine)) + (left > 0 ? `  (${left} more columns)` : ''),
        ...lines.map(({ mark, cells: texts }) => line(mark, texts)),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ];
}

function markOf({ before, after }: RowChange): string {
  if (before === undefined) return '+';
  return after === undefined ? '-' : '~';
}

function keysOf(before: RowChange['before'], after: RowChange['after']): readonly string[] {
  return [...Object.keys(before ?? {}), ...Object.keys(after ?? {})];
}

/** `10 → 12` where both sides have the cell and it differs; empty where the row does not show the column. */
function cellText({ before, after }: RowChange, column: string): string {
  const [old, current] = [cellOf(before, column), cellOf(after, column)];
  const texts = [...new Set([old, current].filter((cell) => cell !== undefined).map(shownText))];
  return texts.join(' → ');
}

function cellOf(row: RowChange['before'], column: string): Shown | undefined {
  return row !== undefined && Object.hasOwn(row, column) ? row[column] : undefined;
}
