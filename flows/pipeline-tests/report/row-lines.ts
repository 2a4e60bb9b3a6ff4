import { isRecord } from '../../../lib/core/values/is-record.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { comparedTexts, isSame, shownText } from './shown-text.ts';
import type { Difference, Shown } from '../compare/test-result.ts';

const maxRows = 20;
const heading = 'expected';

const marks: Readonly<Record<string, string>> = { 'changed-row': '~', 'missing-row': '-', 'extra-row': '+' };

/** Whether `rowLines` shows this kind of difference. */
export function isRow({ kind }: Difference): boolean {
  return Object.hasOwn(marks, kind);
}

/**
 * Rows of one table side by side: expected on the left, actual on the right. `~` marks a row that differs, with a
 * line of carets under its different cells; `-` a missing row; `+` an unexpected row.
 */
export function rowLines(differences: readonly Difference[]): readonly string[] {
  const columns = [
    ...new Set(
      differences.flatMap((difference) => [...keysOf(difference.expected), ...keysOf(difference.actual)]),
    ),
  ];
  const shown = differences.slice(0, maxRows);
  const rows = cellTexts(shown, columns);
  const widths = columns.map((column, place) =>
    Math.max(
      oneLine(column).length,
      ...rows.flatMap(({ expected, actual }) => [expected, actual]).map((cells) => cells[place]?.length ?? 0),
    ),
  );
  // The left side is at least as wide as its head.
  const missing = heading.length - widths.reduce((sum, width) => sum + width + 2, -2);
  widths.push((widths.pop() ?? 0) + Math.max(0, missing));
  const side = (cells: readonly string[]) =>
    widths.map((width, index) => (cells[index] ?? '').padEnd(width)).join('  ');
  const line = (mark: string, left: string, right: string) => `${mark} ${left} | ${right}`.trimEnd();
  const heads = side(columns.map(oneLine));
  const lines = shown.flatMap((difference, index) => {
    const { expected, actual } = rows[index] ?? { expected: [], actual: [] };
    const main = line(marks[difference.kind] ?? ' ', side(expected), side(actual));
    if (difference.kind !== 'changed-row') return [main];
    const carets = (cells: readonly string[]) =>
      side(
        columns.map((column, place) =>
          differs(difference, column) ? '^'.repeat(cells[place]?.length ?? 0) : '',
        ),
      );
    return [main, `  ${carets(expected)}   ${carets(actual)}`.trimEnd()];
  });
  const more = differences.length - shown.length;
  return [
    line(' ', heading.padEnd(side([]).length), 'actual'),
    line(' ', heads, heads),
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** The texts of a row on both sides, by column; no texts where the row has no such side. */
interface RowTexts {
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** Cells that a reader compares never look the same: both sides of a row that differs, and the rows of one side only. */
function cellTexts(rows: readonly Difference[], columns: readonly string[]): readonly RowTexts[] {
  const columnTexts = columns.map((column) => {
    const alone = rows.flatMap(({ expected, actual }) =>
      expected === undefined ? [actual] : actual === undefined ? [expected] : [],
    );
    const texts = comparedTexts(alone.map((row) => cellOf(row, column)));
    let next = 0;
    return rows.map((difference): readonly [expected: string, actual: string] => {
      const [expected, actual] = [cellOf(difference.expected, column), cellOf(difference.actual, column)];
      if (difference.expected === undefined || difference.actual === undefined) {
        const text = texts[next] ?? '';
        next += 1;
        return difference.expected === undefined ? ['', text] : [text, ''];
      }
      const [left = '', right = ''] = differs(difference, column)
        ? comparedTexts([expected, actual])
        : [shownText(expected), shownText(actual)];
      return [left, right];
    });
  });
  return rows.map((_, index) => ({
    expected: columnTexts.map((texts) => texts[index]?.[0] ?? ''),
    actual: columnTexts.map((texts) => texts[index]?.[1] ?? ''),
  }));
}

function differs({ expected, actual, columns }: Difference, column: string): boolean {
  return columns?.includes(column) ?? !isSame(cellOf(expected, column), cellOf(actual, column));
}

function keysOf(row: Shown | undefined): readonly string[] {
  return isRecord(row) ? Object.keys(row) : [];
}

function cellOf(row: Shown | undefined, column: string): Shown {
  const cell =
    typeof row === 'object' && row !== null ? (Reflect.get(row, column) as Shown | undefined) : undefined;
  return cell ?? null;
}

/** A row that differs, as text: `expected id 1, note "a "` and `actual id 1, note a`. */
export function rowTexts(difference: Difference): readonly string[] {
  const columns = [...new Set([...keysOf(difference.expected), ...keysOf(difference.actual)])];
  const [texts = { expected: [], actual: [] }] = cellTexts([difference], columns);
  return (['expected', 'actual'] as const).flatMap((side) => {
    if (difference[side] === undefined) return [];
    const cells = columns.map((column, place) => `${oneLine(column)} ${texts[side][place] ?? ''}`);
    return [`${side} ${cells.length === 0 ? 'a row' : cells.join(', ')}`];
  });
}
