import { numberOf } from '../../lib/core/number-of.ts';
import { oneLine } from '../../lib/core/sanitize-text.ts';
import { shownText } from '../test/row-lines.ts';
import type {
  ColumnChange,
  DataDiff,
  PipelineEnd,
  TableChange,
  TableTotal,
  TestChange,
} from './data-diff.ts';
import { rowTable } from './row-table.ts';

/** The report for a terminal: the changes of each test, what is not known, and the total. */
export function diffLines(diff: DataDiff): readonly string[] {
  const { shown, others } = shownChanges(diff);
  return [
    ...shown.flatMap((change) => [
      `${oneLine(change.file)}:${change.line} ${oneLine(change.name)}`,
      ...changeLines(change).map((line) => `  ${line}`),
      '',
    ]),
    ...(others === 0 ? [] : [othersText(others), '']),
    ...unknownLines(diff),
    headline(diff),
    comparedWith(diff),
  ];
}

/** The changes to show one by one: columns that change as in a change before, and nothing else, are only counted. */
export function shownChanges({ changes }: DataDiff): {
  readonly shown: readonly TestChange[];
  readonly others: number;
} {
  const known = changes.filter(({ status }) => status !== 'not-compared');
  const seen = new Set<string>();
  const shown = known.filter(({ tables, end }) => {
    const columns = tables.map((one) =>
      JSON.stringify([one.table, one.columns.map(({ name, before, after }) => [name, before, after])]),
    );
    const isNew = columns.some((one) => !seen.has(one));
    for (const one of columns) seen.add(one);
    const hasRows = tables.some(
      (one) => one.kind !== 'changed' || one.unknown !== undefined || rowCount(one) > 0,
    );
    return isNew || hasRows || end !== undefined;
  });
  return { shown, others: known.length - shown.length };
}

function rowCount({ added, removed, changed }: TableChange): number {
  return added + removed + changed;
}

/** The changes that are only counted. */
export function othersText(count: number): string {
  return `In ${numberOf(count, 'more test')}, only columns change, in the same way.`;
}

/** `Data changes in 2 tables: orders +1 −0 ~2, customers +0 −3 ~0.` */
export function headline({ tables, changes, tests, isSame }: DataDiff): string {
  if (isSame) return 'No file of the project differs, so no data changes.';
  const ends = changes.filter(({ end }) => end !== undefined).length;
  const unknown = changes.filter(({ status }) => status === 'not-compared').length;
  const parts = [
    ...(tables.length === 0
      ? []
      : [
          `Data changes in ${numberOf(tables.length, 'table')}: ${tables.slice(0, 5).map(totalText).join(', ')}${tables.length > 5 ? ', …' : ''}`,
        ]),
    ...(ends === 0 ? [] : [`${numberOf(ends, 'test')} ${ends === 1 ? 'ends' : 'end'} in another way`]),
    ...(unknown === 0 ? [] : [`${numberOf(unknown, 'test')} could not be compared`]),
  ];
  if (parts.length > 0) return `${parts.join('; ')}.`;
  return `No data changes in the tables of ${numberOf(tests, 'test')}.`;
}

/** `orders +1 −0 ~2 (column amount)` */
export function totalText({ columns, table, ...counts }: TableTotal): string {
  const [first = ''] = columns;
  const names = columns.length === 1 ? `column ${oneLine(first)}` : `${columns.length} columns`;
  return `${oneLine(table)} ${countsText(counts)}${columns.length === 0 ? '' : ` (${names})`}`;
}

/** `+1 −0 ~2` */
export function countsText({
  added,
  removed,
  changed,
}: Pick<TableChange, 'added' | 'removed' | 'changed'>): string {
  return `+${added} −${removed} ~${changed}`;
}

/** What the numbers are about: they are not those of a warehouse. */
export function comparedWith({ tests, base, isSame }: DataDiff): string {
  const id = base.commit.slice(0, 12);
  const name = base.name === base.commit || base.name === id ? id : `${base.name} (${id})`;
  if (isSame)
    return `Compared with ${oneLine(name)}. To compare a branch with where it began, give --base and its target, such as --base main.`;
  return `Compared with ${oneLine(name)}, on the rows of ${numberOf(tests, 'test')}.`;
}

/** What changes for one test. */
export function changeLines({ end, tables, status, pipeline }: TestChange): readonly string[] {
  return [
    ...(status === 'new-pipeline' ? [`${oneLine(pipeline)} is new: compared with the given tables`] : []),
    ...(end === undefined ? [] : endLines(end)),
    ...tables.flatMap((table) => tableLines(table)),
  ];
}

function endLines({ before, after }: NonNullable<TestChange['end']>): readonly string[] {
  return [`before: ${endText(before)}`, `now:    ${endText(after)}`];
}

function endText({ status, component, message }: PipelineEnd): string {
  if (status === 'success') return 'the pipeline succeeds';
  const where = component === undefined ? '' : ` in "${oneLine(component)}"`;
  const [first = ''] = (message ?? '').split('\n');
  return `the pipeline fails${where}${first === '' ? '' : `: ${oneLine(first)}`}`;
}

function tableLines(change: TableChange): readonly string[] {
  return [
    tableHead(change),
    ...change.columns.map((column) => `  ${columnText(column)}`),
    ...rowTable(change).map((line) => `  ${line}`),
  ];
}

function tableHead(change: TableChange): string {
  const { table, kind, key, cells, unknown, component, at } = change;
  const place = at === undefined ? '' : ` (${oneLine(at.file)}:${at.line})`;
  const writer = component === undefined ? '' : `; written by "${oneLine(component)}"${place}`;
  const what = { created: ' (new table)', removed: ' (table is gone)', changed: '' }[kind];
  const name = `table "${oneLine(table)}"${what}`;
  if (unknown !== undefined) return `${name}: its rows could not be compared: ${oneLine(unknown)}${writer}`;
  const columns = Object.entries(cells).map(([column, count]) => `${oneLine(column)} ${count}`);
  const changed = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
  const by = key.length === 0 ? '' : `; key ${key.map(oneLine).join(', ')}`;
  return `${name}: ${countsText(change)}${changed}${by}${writer}`;
}

function columnText({ name, before, after, values = [], nulls = 0 }: ColumnChange): string {
  if (after === undefined) return `- column ${oneLine(name)} ${before ?? ''}`;
  if (before !== undefined) return `~ column ${oneLine(name)} ${before} → ${after}`;
  const shown = [...values.map(shownText), ...(nulls === 0 ? [] : [`null in ${numberOf(nulls, 'row')}`])];
  return `+ column ${oneLine(name)} ${after}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`;
}

/** What the diff cannot say, so that silence is not taken for "no change". */
export function unknownBlocks({
  changes,
  untested,
}: DataDiff): readonly { title: string; lines: readonly string[] }[] {
  const unknown = changes.filter(({ status }) => status === 'not-compared');
  const blocks = [
    {
      title: 'Not compared',
      lines: unknown.flatMap(({ file, line, name, reason = '' }) => [
        `${oneLine(file)}:${line} ${oneLine(name)}`,
        `  ${oneLine(reason)}`,
      ]),
    },
    {
      title: 'Changed, but run by no test, so that nothing is known about their data',
      lines: untested.map(({ pipeline, change }) => `${oneLine(pipeline)} (${change})`),
    },
  ];
  return blocks.filter(({ lines }) => lines.length > 0);
}

/** The same for a terminal. */
export function unknownLines(diff: DataDiff): readonly string[] {
  return unknownBlocks(diff).flatMap(({ title, lines }) => [
    `${title}:`,
    ...lines.map((line) => `  ${line}`),
    '',
  ]);
}
