import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { shownNames } from '../../lib/core/text/look-alike.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { shownText } from '../pipeline-tests/report/shown-text.ts';
import type { ReportBlock } from '../../lib/report/report.ts';
import type {
  ColumnChange,
  ComponentPlace,
  DataDiff,
  PipelineEnd,
  RowsForChange,
  TableChange,
  TestChange,
} from './data-diff.ts';
import { rowTable } from './row-table.ts';

/** The lines that show what changes in one test. */
export function changeLines(change: TestChange): readonly string[] {
  const { end, tables, status, pipeline, rowsAtBase, stopped, started, equalTables } = change;
  return [
    ...(status === 'new-pipeline'
      ? [
          `${oneLine(pipeline)} is new${end === undefined ? ': its tables are compared with the given ones' : ''}`,
        ]
      : []),
    ...(rowsAtBase === 'own'
      ? [
          'the old pipeline does not find a name in the rows of this test, so it ran on the rows that the test had at the base',
        ]
      : []),
    ...(end?.before === undefined ? [] : [`before: ${endText(end.before)}`]),
    ...(end === undefined ? [] : [`now:    ${endText(end.after)}`]),
    ...stopped.map((place) => `no longer runs: ${placeText(place)}`),
    ...started.map((place) => `runs now: ${placeText(place)}`),
    ...linesOfTables(tables),
    ...(tables.length === 0 || equalTables === 0 ? [] : [`${numberOf(equalTables, 'other table')} equal`]),
  ];
}

/** What changes in tables. */
function linesOfTables(tables: readonly TableChange[]): readonly string[] {
  const nameOf = shownNames(tables.map(({ table }) => table));
  return tables.flatMap((table) => tableLines(table, nameOf));
}

function placeText({ component, at }: ComponentPlace): string {
  return `"${oneLine(component)}" (${oneLine(at.file)}:${at.line})`;
}

function endText({ status, component, message, isUnexpected = false }: PipelineEnd): string {
  if (status === 'success')
    return `the pipeline succeeds${isUnexpected ? '; the test expects a failure' : ''}`;
  const where = component === undefined ? '' : ` in "${oneLine(component)}"`;
  const [first = ''] = (message ?? '').split('\n');
  const cause = first === '' ? '' : `: ${oneLine(first)}`;
  return `the pipeline fails${where}${cause}${isUnexpected ? '; the test expects another failure' : ''}`;
}

function tableLines(change: TableChange, nameOf: (table: string) => string): readonly string[] {
  const { columns, lostKey } = change;
  const twice = lostKey === undefined ? [] : [lostKeyText(lostKey)];
  const columnName = shownNames(columns.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
  return [
    tableHead(change, nameOf),
    ...[...columns.map((column) => columnText(column, columnName)), ...twice, ...rowTable(change)].map(
      (line) => `  ${line}`,
    ),
  ];
}

function lostKeyText({ columns, values, rows }: NonNullable<TableChange['lostKey']>): string {
  return `! ${columns.map(visibleText).join(', ')} was unique and is not any more: ${values.map(shownText).join(', ')} is in ${numberOf(rows, 'row')}`;
}

function tableHead(change: TableChange, nameOf: (table: string) => string): string {
  const { table, kind, key, cells, unknown, component, at } = change;
  const place = at === undefined ? '' : ` (${oneLine(at.file)}:${at.line})`;
  const verb = kind === 'removed' ? 'was written by' : 'written by';
  const writer = component === undefined ? '' : `; ${verb} "${oneLine(component)}"${place}`;
  const what = { created: ' (new)', removed: ' (no longer written)', changed: '' }[kind];
  const name = `table "${nameOf(table)}"${what}`;
  if (unknown !== undefined) return `${name}: its rows could not be compared: ${oneLine(unknown)}${writer}`;
  const columns = Object.entries(cells).map(([column, count]) => `${visibleText(column)} ${count}`);
  const changed = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
  const by = key.length === 0 ? '' : `; key ${key.map(visibleText).join(', ')}`;
  return `${name}: ${countsText(change)}${changed}${by}${writer}`;
}

function columnText(
  { name, before, after, renamedFrom, values = [], nulls = 0 }: ColumnChange,
  nameOf: (column: string) => string,
): string {
  if (renamedFrom !== undefined)
    return `~ column ${nameOf(renamedFrom)} is now ${nameOf(name)}, with the same values`;
  if (after === undefined) return `- column ${nameOf(name)} ${before ?? ''}`;
  if (before !== undefined) return `~ column ${nameOf(name)} ${before} → ${after}`;
  const shown = [...values.map(shownText), ...(nulls === 0 ? [] : [`null in ${numberOf(nulls, 'row')}`])];
  return `+ column ${nameOf(name)} ${after}${shown.length === 0 ? '' : `, such as ${shown.join(', ')}`}`;
}

/** The numbers of added, removed and changed rows, as `+1 −0 ~2`. */
export function countsText({
  added,
  removed,
  changed,
}: Pick<TableChange, 'added' | 'removed' | 'changed'>): string {
  return `+${added} −${removed} ~${changed}`;
}

/** The blocks of rows that show a difference, for pipelines whose tests show none. */
export function rowBlocks({ rows = [] }: Pick<DataDiff, 'rows'>): readonly ReportBlock[] {
  const found = rows.filter(({ status }) => status === 'found');
  const others = rows.filter(({ status }) => status !== 'found');
  const blocks = [
    ...found.map((row) => ({
      title: `No test shows a difference, but these rows would: ${oneLine(row.pipeline)}`,
      lines: linesOf(row),
    })),
    {
      title:
        'No test shows a difference, and the search found no rows that do: the change may have no effect',
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
