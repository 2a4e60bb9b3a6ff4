import { shownNames } from '../../lib/core/text/look-alike.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import type { Report, ReportBlock } from '../../lib/report/report.ts';
import { wrongFiles } from '../pipeline-tests/report/report.ts';
import { changeLines, countsText, rowBlocks } from './change-lines.ts';
import type { DataDiff, TableChange, TableTotal, TestChange, UntestedChange } from './data-diff.ts';
import { describe } from './describe.ts';
import { isChange, runsOthers } from './is-change.ts';
import { isOtherEnd } from './other-end.ts';

/** What the command or action adds to the report. */
export interface DiffAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  /** Whether changes make the outcome `failed`. */
  readonly failsOnChange?: boolean;
  readonly notes?: readonly string[];
}

/**
 * The report about a data diff, the same for command, action and comment: the tables with their counts, what is not
 * known, and the changes in each test.
 */
export function reportOfDiff(
  diff: DataDiff,
  { prefix = '', failsOnChange = false, notes = [] }: DiffAddition = {},
): Report {
  const { shown, others } = shownChanges(diff);
  return {
    title: 'Data diff',
    outcome: outcomeOf(diff, failsOnChange),
    headline: headlineOf(diff),
    facts: [],
    findings: [],
    tables: [
      {
        title: 'Tables',
        columns: ['table', 'added', 'removed', 'changed', 'changed rows by column', 'other columns', 'tests'],
        rows: diff.tables.map(totalRow),
      },
    ],
    blocks: [
      ...unknownBlocks(diff),
      ...rowBlocks(diff),
      ...shown.map((change) => ({
        title: `${oneLine(prefix + change.file)}:${change.line} ${oneLine(change.name)}`,
        lines: changeLines(change),
      })),
    ],
    isNews: diff.changes.some((change) => isChange(change) || runsOthers(change)) || diff.untested.length > 0,
    notes: [
      comparedWith(diff),
      ...leftOutText(diff),
      ...(others === 0 ? [] : [othersText(others)]),
      ...notes,
    ],
  };
}

function outcomeOf({ isSame, changes, problems }: DataDiff, failsOnChange: boolean): Report['outcome'] {
  if (problems !== undefined) return 'error';
  if (isSame) return 'nothing-to-do';
  return failsOnChange && changes.some(isChange) ? 'failed' : 'passed';
}

function totalRow({ table, added, removed, changed, cells, columns, tests }: TableTotal): readonly string[] {
  const byColumn = Object.entries(cells).map(([column, count]) => `${visibleText(column)} ${count}`);
  return [
    visibleText(table),
    String(added),
    String(removed),
    String(changed),
    byColumn.join(', '),
    columns.join(', '),
    String(tests),
  ];
}

/** The changes to show one by one: columns that change as in a change before, and nothing else, are only counted. */
function shownChanges({ changes }: DataDiff): {
  readonly shown: readonly TestChange[];
  readonly others: number;
} {
  const compared = changes.filter(({ status }) => status !== 'not-compared');
  const seen = new Set<string>();
  const shown = compared.filter(({ tables, end }) => {
    const columns = tables.map(({ table, columns: tableColumns }) =>
      JSON.stringify([
        table,
        tableColumns.map(({ name, before, after, renamedFrom }) => [name, before, after, renamedFrom]),
      ]),
    );
    const isNew = columns.some((column) => !seen.has(column));
    for (const column of columns) seen.add(column);
    const hasRows = tables.some(
      (table) => table.kind !== 'changed' || table.unknown !== undefined || rowCount(table) > 0,
    );
    return isNew || hasRows || end !== undefined || tables.length === 0;
  });
  return { shown, others: compared.length - shown.length };
}

function rowCount({ added, removed, changed }: TableChange): number {
  return added + removed + changed;
}

/** The tests that did not run, so that their number is not taken for tests that were compared. */
function leftOutText({ leftOut }: DataDiff): readonly string[] {
  if (leftOut === undefined) return [];
  if (leftOut === 0) return ['All tests are affected, so none was left out.'];
  return [
    `${numberOf(leftOut, 'test was', 'tests were')} left out, because nothing that ${leftOut === 1 ? 'it reads' : 'they read'} changed in what it does.`,
  ];
}

/** The changes that are only counted. */
function othersText(count: number): string {
  return `In ${numberOf(count, 'more test')}, only columns change, in the same way.`;
}

const maxTables = 5;

/** `Data changes in 2 tables: orders +1 −0 ~2 in 2 tests, customers +0 −3 ~0 in 1 test.` */
function headlineOf({
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
      : 'No file of the project differs, but files have errors, so their tests cannot run.';
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
  const sentences = [
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
    ...(unknown > 0 ? [] : wrongFiles(problems)),
  ];
  const moved = others === 0 ? [] : [`other components run in ${numberOf(others, test)}`];
  const unreported = untested.length === 0 ? [] : [`no ${test} runs ${numberOf(untested.length, 'change')}`];
  return `${[...(sentences.length === 0 ? [equal] : sentences), ...moved, ...unreported].join('; ')}.`;
}

/** `orders +1 −0 ~2 in 1 test, new column amount` */
function totalText(
  { columns, table, tests, ...counts }: TableTotal,
  nameOf: (name: string) => string = visibleText,
): string {
  const [first = ''] = columns;
  const changed =
    columns.length === 0 ? '' : columns.length === 1 ? ` (${first})` : ` (${columns.length} columns differ)`;
  return `${nameOf(table)} ${countsText(counts)}${changed} in ${numberOf(tests, 'test')}`;
}

/** What the numbers are about: they are not about a warehouse. */
function comparedWith({
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
  if (isSame || tests === 0) return `Compared with ${base}.`;
  const read =
    compared === tests || problems.length > 0
      ? ''
      : `, ${compared === 0 ? 'none' : compared} of which ${compared < 2 ? 'reads' : 'read'} what has changed`;
  return `Compared with ${base}, on the rows of ${numberOf(tests, isPartial ? 'chosen test' : 'test')}${read}.`;
}

/** What the diff cannot say, so that silence is not taken for "no change". */
function unknownBlocks({ changes, untested, problems = [], isPartial }: DataDiff): readonly ReportBlock[] {
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
      title: 'Errors in the files of the project',
      lines: problems
        .map(describe)
        .filter((line) => !unknown.some(({ reason }) => reason === line))
        .map(oneLine),
    },
    {
      title: `Changed, but not run by any ${isPartial ? 'chosen ' : ''}test${problems.length === 0 ? '' : ' that could run'}, so their effect on the data is unknown`,
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
