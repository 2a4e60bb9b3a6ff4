import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import type { ReportBlock } from '../../lib/report/report.ts';
import { linesOfTables } from './change-lines.ts';
import type { DataDiff, RowsForChange } from './data-diff.ts';

/** Rows that show a difference, for pipelines whose tests show none. */
export function rowBlocks({ rows = [] }: Pick<DataDiff, 'rows'>): readonly ReportBlock[] {
  const found = rows.filter(({ status }) => status === 'found');
  const others = rows.filter(({ status }) => status !== 'found');
  const blocks = [
    ...found.map((row) => ({
      title: `No test shows a difference, but these rows would: ${oneLine(row.pipeline)}`,
      lines: linesOf(row),
    })),
    {
      title: 'No test shows a difference, and no rows were found that do: perhaps equal',
      lines: others.map(
        ({ pipeline, status }) =>
          `${oneLine(pipeline)}${status === 'not-searched' ? ' (the time of --find-rows was used up)' : ''}`,
      ),
    },
  ];
  return blocks.filter(({ lines }) => lines.length > 0);
}

function linesOf({ test, given = [], tables = [], isOtherEnd = false }: RowsForChange): readonly string[] {
  const name =
    test === undefined ? [] : [`as in ${oneLine(test.file)}:${test.line} ${oneLine(test.name)}, with`];
  const rows = given.flatMap((input) => [
    `given "${visibleText(input.table)}"${input.rows.length === 0 ? ' without rows' : ''}`,
    ...input.rows.map(
      (row) =>
        `  ${Object.entries(row)
          .map(([column, value]) => `${visibleText(column)}: ${value === null ? 'null' : visibleText(value)}`)
          .join(', ')}`,
    ),
  ]);
  const end = isOtherEnd ? ['only one of the two versions succeeds'] : [];
  return [...name, ...rows, ...end, ...linesOfTables(tables)];
}
