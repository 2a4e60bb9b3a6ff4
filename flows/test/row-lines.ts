import { oneLine } from '../../lib/core/sanitize-text.ts';
import type { Difference, Shown } from './test-result.ts';

const maxRows = 20;
/** A number of 38 digits fits, with its sign, its point and quotes. */
const maxCell = 44;
const heading = 'expected';

const marks: Readonly<Record<string, string>> = { 'changed-row': '~', 'missing-row': '-', 'extra-row': '+' };

/** Whether a difference is a row of `rowLines`. */
export function isRow({ kind }: Difference): boolean {
  return Object.hasOwn(marks, kind);
}

/**
 * Rows of one table side by side: expected on the left, found on the right. `~` marks a row that differs, and a line of
 * carets its cells; `-` one that is missing, `+` one that was not expected.
 */
export function rowLines(differences: readonly Difference[]): readonly string[] {
  const columns = [
    ...new Set(differences.flatMap((one) => [...keysOf(one.expected), ...keysOf(one.actual)])),
  ];
  const shown = differences.slice(0, maxRows);
  const written = shown
    .flatMap(({ expected, actual }) => [expected, actual])
    .filter((row) => row !== undefined);
  const widths = columns.map((column) =>
    Math.max(...[oneLine(column), ...written.map((row) => cellText(row, column))].map((text) => text.length)),
  );
  // The left side is at least as wide as its head.
  const missing = heading.length - widths.reduce((sum, width) => sum + width + 2, -2);
  widths.push((widths.pop() ?? 0) + Math.max(0, missing));
  const side = (cells: readonly string[]) =>
    cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  const line = (mark: string, left: string, right: string) => `${mark} ${left} | ${right}`.trimEnd();
  const empty = side(columns.map(() => ''));
  const heads = side(columns.map(oneLine));
  const rows = shown.flatMap((one) => {
    const cells = (row: Shown | undefined) =>
      row === undefined ? empty : side(columns.map((column) => cellText(row, column)));
    const main = line(marks[one.kind] ?? ' ', cells(one.expected), cells(one.actual));
    return one.kind === 'changed-row' ? [main, caretLine(one, columns, side)] : [main];
  });
  const more = differences.length - shown.length;
  return [
    line(' ', heading.padEnd(empty.length), 'actual'),
    line(' ', heads, heads),
    ...rows,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function caretLine(
  { expected, actual }: Difference,
  columns: readonly string[],
  side: (cells: readonly string[]) => string,
): string {
  const carets = (row: Shown | undefined, other: Shown | undefined) =>
    side(
      columns.map((column) => {
        const text = cellText(row, column);
        return text === cellText(other, column) ? '' : '^'.repeat(Math.max(1, text.length));
      }),
    );
  return `  ${carets(expected, actual)}   ${carets(actual, expected)}`.trimEnd();
}

function keysOf(row: Shown | undefined): readonly string[] {
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.keys(row) : [];
}

function cellText(row: Shown | undefined, column: string): string {
  const cell =
    typeof row === 'object' && row !== null ? (Reflect.get(row, column) as Shown | undefined) : undefined;
  return shownText(cell ?? null);
}

/** A row in a sentence: `id 1, note "a b"`. */
export function rowText(row: Shown): string {
  const cells = keysOf(row).map((column) => `${oneLine(column)} ${cellText(row, column)}`);
  return cells.length === 0 ? 'a row' : cells.join(', ');
}

/** A value on one line: null without quotes, an empty text or one with blanks at its ends in quotes. */
export function shownText(value: Shown): string {
  const text = typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
  const isPlain =
    typeof value !== 'string' || (value === text && text !== '' && text !== 'null' && !isNumber(value));
  const written = isPlain ? text : JSON.stringify(text);
  return written.length > maxCell ? `${written.slice(0, maxCell - 1)}…` : written;
}

/** A text that looks like a number would look equal to it. */
function isNumber(text: string): boolean {
  return /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(text) || /^(?:true|false)$/.test(text);
}
