import { numberOf } from '../../lib/core/text/number-of.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { comparedTexts, isSame } from '../pipeline-tests/report/shown-text.ts';
import type { RowChange, TableChange } from './data-diff.ts';
import { cutRows } from './order-rows.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';

/** More rows are only counted in a report for people. */
const maxRows = 20;
/** More columns are not shown in a report for people. */
const maxColumns = 8;

/**
 * The changed rows of a table, one per line: `~` marks a changed row, `+` an added one, `-` a removed one. A
 * changed cell shows both values. First come the columns of the key, then changed columns, then the others.
 */
export function rowTable({
  rows,
  key,
  cells,
  columns,
  added,
  removed,
  changed,
}: TableChange): readonly string[] {
  const shown = shownRows(rows);
  const fresh = columns.filter(({ before }) => before === undefined).map(({ name }) => name);
  const all = [...new Set([...key, ...Object.keys(cells), ...fresh, ...shown.flatMap(columnsOf)])].filter(
    (name) => shown.some((row) => columnsOf(row).includes(name)),
  );
  const names = all.slice(0, maxColumns);
  const columnTexts = names.map((name) => cellTexts(shown, name));
  const lines = shown.map((row, index) => ({
    mark: markOf(row),
    cells: columnTexts.map((texts) => texts[index] ?? ''),
  }));
  const widths = names.map((name, index) =>
    Math.max(visibleText(name).length, ...lines.map((line) => line.cells[index]?.length ?? 0)),
  );
  const line = (mark: string, texts: readonly string[]) =>
    `${mark} ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd();
  const more = added + removed + changed - shown.length;
  const left = all.length - names.length;
  return shown.length === 0
    ? []
    : [
        line(' ', names.map(visibleText)) + (left > 0 ? `  (${numberOf(left, 'more column')})` : ''),
        ...lines.map(({ mark, cells: texts }) => line(mark, texts)),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ];
}

function shownRows(rows: readonly RowChange[]): readonly RowChange[] {
  const isChanged = ({ before, after }: RowChange) => before !== undefined && after !== undefined;
  return cutRows(
    rows.filter(isChanged),
    rows.filter((row) => !isChanged(row)),
    maxRows,
  );
}

function markOf({ before, after }: RowChange): string {
  if (before === undefined) return '+';
  return after === undefined ? '-' : '~';
}

function columnsOf({ before, after }: RowChange): readonly string[] {
  return [...Object.keys(before ?? {}), ...Object.keys(after ?? {})];
}

/**
 * A column's cells: `10 → 12` if both sides have the cell and it differs; empty if the row does not show the column. Rows
 * of one side that differ do not look the same.
 */
function cellTexts(rows: readonly RowChange[], column: string): readonly string[] {
  const alone = rows.map(({ before, after }) => {
    const [old, current] = [before?.[column], after?.[column]];
    return old === undefined ? current : current === undefined || isSame(old, current) ? old : undefined;
  });
  const texts = comparedTexts(alone.filter((cell) => cell !== undefined)).values();
  return rows.map(({ before, after }, index) => {
    if (alone[index] !== undefined) return texts.next().value ?? '';
    const [old, current] = [before?.[column], after?.[column]];
    return old === undefined || current === undefined ? '' : changeText(old, current);
  });
}

/** Two different values as `5 → 10`, written so that the difference is visible. */
export function changeText(before: Shown, after: Shown): string {
  return comparedTexts([before, after]).join(' → ');
}
