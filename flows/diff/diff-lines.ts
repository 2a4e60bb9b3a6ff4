import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { shownNames } from '../../lib/core/text/look-alike.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { shownText } from '../pipeline-tests/report/shown-text.ts';
import type {
  ColumnChange,
  ComponentPlace,
  DataDiff,
  PipelineEnd,
  TableChange,
  TableTotal,
  TestChange,
  UntestedChange,
} from './data-diff.ts';
import { describe } from './describe.ts';
import { isChange, runsOthers } from './is-change.ts';
import { isOtherEnd } from './other-end.ts';
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
    ...unknownBlocks(diff).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  ${line}`),
      '',
    ]),
    headline(diff),
    comparedWith(diff),
    ...(diff.isSame && diff.base.name === 'HEAD'
      ? ['To compare a branch with where it began, give --base and its target, such as --base main.']
      : []),
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
    const columns = tables.map(({ table, columns: own }) =>
      JSON.stringify([
        table,
        own.map(({ name, before, after, renamedFrom }) => [name, before, after, renamedFrom]),
      ]),
    );
    const isNew = columns.some((one) => !seen.has(one));
    for (const one of columns) seen.add(one);
    const hasRows = tables.some(
      (one) => one.kind !== 'changed' || one.unknown !== undefined || rowCount(one) > 0,
    );
    return isNew || hasRows || end !== undefined || tables.length === 0;
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

const maxTables = 5;

/** `Data changes in 2 tables: orders +1 −0 ~2 in 2 tests, customers +0 −3 ~0 in 1 test.` */
export function headline({
  tables,
  changes,
  problems = [],
  untested,
  compared,
  isSame,
  isPartial,
}: DataDiff): string {
  if (isSame)
    return problems.length === 0
      ? 'No file of the project differs, so no data changes; no test ran.'
      : 'No file of the project differs, but files are wrong, so their tests cannot run.';
  const ended = changes.flatMap(({ end }) => end ?? []);
  const newFailures = ended.filter(
    ({ before, after }) => before === undefined && after.status === 'failure',
  ).length;
  const ends = ended.filter(({ before, after }) => before !== undefined && isOtherEnd(before, after)).length;
  const unexpected = ended.length - newFailures - ends;
  const others = changes.filter((change) => !isChange(change) && runsOthers(change)).length;
  const unknown = changes.filter(({ status }) => status === 'not-compared').length;
  const unread = changes.flatMap((change) =>
    change.tables.filter((table) => table.unknown !== undefined),
  ).length;
  const nameOf = shownNames(tables.map(({ table }) => table));
  const shown = tables
    .slice(0, maxTables)
    .map((total) => totalText(total, nameOf))
    .join(', ');
  const test = isPartial ? 'chosen test' : 'test';
  const equal =
    compared === 0
      ? `No data changes in the ${test}s: none of them reads what has changed`
      : `No data changes: the tables are equal in ${numberOf(compared, test)}`;
  const known = [
    ...(tables.length === 0
      ? []
      : [
          `Data changes in ${numberOf(tables.length, 'table')}: ${shown}${tables.length > maxTables ? ', …' : ''}`,
        ]),
    ...(ends === 0 ? [] : [`${numberOf(ends, 'test')} ${ends === 1 ? 'ends' : 'end'} in another way`]),
    ...(newFailures === 0
      ? []
      : [`${numberOf(newFailures, 'test')} ${newFailures === 1 ? 'runs' : 'run'} a new pipeline that fails`]),
    ...(unexpected === 0
      ? []
      : [`${numberOf(unexpected, 'test')} ${unexpected === 1 ? 'does' : 'do'} not end as expected`]),
    ...(unknown === 0 ? [] : [`${numberOf(unknown, 'test')} could not be compared`]),
    ...(unread === 0 ? [] : [`${numberOf(unread, 'table')} could not be compared`]),
    ...(problems.length === 0 || unknown > 0 ? [] : ['Files are wrong, so their tests did not run']),
  ];
  const moved = others === 0 ? [] : [`other components run in ${numberOf(others, test)}`];
  const unreported = untested.length === 0 ? [] : [`no ${test} runs ${numberOf(untested.length, 'change')}`];
  return `${[...(known.length === 0 ? [equal] : known), ...moved, ...unreported].join('; ')}.`;
}

/** `orders +1 −0 ~2 in 1 test, new column amount` */
export function totalText(
  { columns, table, tests, ...counts }: TableTotal,
  nameOf: (name: string) => string = visibleText,
): string {
  const [first = ''] = columns;
  const changed =
    columns.length === 0 ? '' : columns.length === 1 ? ` (${first})` : ` (${columns.length} columns differ)`;
  return `${nameOf(table)} ${countsText(counts)}${changed} in ${numberOf(tests, 'test')}`;
}

/** `+1 −0 ~2` */
export function countsText({
  added,
  removed,
  changed,
}: Pick<TableChange, 'added' | 'removed' | 'changed'>): string {
  return `+${added} −${removed} ~${changed}`;
}

/** What the numbers are about: they are not about a warehouse. */
export function comparedWith({
  tests,
  compared,
  base: { name, commit, isFork },
  isSame,
  isPartial,
  problems = [],
}: DataDiff): string {
  const id = commit.slice(0, 12);
  const named = commit.startsWith(name) ? id : `${oneLine(name)} (${id})`;
  const base = isFork ? `${id}, where the branch left ${oneLine(name)}` : named;
  if (isSame) return `Compared with ${base}.`;
  const read =
    compared === tests || problems.length > 0
      ? ''
      : `, ${compared === 0 ? 'none' : compared} of which ${compared < 2 ? 'reads' : 'read'} what has changed`;
  return `Compared with ${base}, on the rows of ${numberOf(tests, isPartial ? 'chosen test' : 'test')}${read}.`;
}

/** What changes for one test. */
export function changeLines(change: TestChange): readonly string[] {
  const { end, tables, status, pipeline, rowsAtBase, stopped, started, equalTables } = change;
  return [
    ...(status === 'new-pipeline'
      ? [`${oneLine(pipeline)} is new${end === undefined ? ': compared with the given tables' : ''}`]
      : []),
    ...(rowsAtBase === 'own'
      ? [
          'the old pipeline does not find a name in the rows of this test: it ran on those that the test had at the base',
        ]
      : []),
    ...(end?.before === undefined ? [] : [`before: ${endText(end.before)}`]),
    ...(end === undefined ? [] : [`now:    ${endText(end.after)}`]),
    ...stopped.map((one) => `no longer runs: ${placeText(one)}`),
    ...started.map((one) => `runs now: ${placeText(one)}`),
    ...tables.flatMap((table) => tableLines(table, shownNames(tables.map((one) => one.table)))),
    ...(tables.length === 0 || equalTables === 0 ? [] : [`${numberOf(equalTables, 'other table')} equal`]),
  ];
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

/** What the diff cannot say, so that silence is not taken for "no change". */
export function unknownBlocks({
  changes,
  untested,
  problems = [],
  isPartial,
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
      title: 'Wrong in the files of the project',
      lines: problems
        .map(describe)
        .filter((line) => !unknown.some(({ reason }) => reason === line))
        .map(oneLine),
    },
    {
      title: `Changed, but run by no ${isPartial ? 'chosen ' : ''}test${problems.length === 0 ? '' : ' that could run'}, so that nothing is known about their data`,
      lines: untested.map(untestedText),
    },
  ];
  return blocks.filter(({ lines }) => lines.length > 0);
}

function untestedText({
  file,
  change,
  component,
  line,
  isMocked = false,
  isSubmodule = false,
}: UntestedChange): string {
  if (isSubmodule) return `${oneLine(file)} (a submodule: both sides ran with its files on disk)`;
  if (component === undefined) return `${oneLine(file)} (${change})`;
  const place = line === undefined ? oneLine(file) : `${oneLine(file)}:${line}`;
  return `"${oneLine(component)}" (${place}, ${change}${isMocked ? '; mocked' : ''})`;
}
