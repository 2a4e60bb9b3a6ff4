import { shownNames } from '../../lib/core/text/look-alike.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { Report, ReportBlock } from '../../lib/report/report.ts';
import { countsText } from '../diff/change-lines.ts';
import type { PipelineEnd } from '../diff/data-diff.ts';
import { rowTable } from '../diff/row-table.ts';
import { isSampleChange } from './is-sample-change.ts';
import type {
  ColumnCount,
  SampledPipeline,
  SampledTableChange,
  SampleDiff,
  SampleTable,
} from './sample-diff.ts';

/** What the command adds to the report. */
export interface SampleAddition {
  /** Whether changes make the outcome `failed`. */
  readonly failsOnChange?: boolean;
  /** Whether rows may be shown. */
  readonly showsRows?: boolean;
  readonly notes?: readonly string[];
}

/** The report about a data diff on samples. It only contains values of rows if the diff does. */
export function reportOfSamples(
  diff: SampleDiff,
  { failsOnChange = false, showsRows = false, notes = [] }: SampleAddition = {},
): Report {
  const nameOf = shownNames(diff.tables.map(({ table }) => table));
  return {
    title: 'Data diff on samples',
    outcome:
      diff.isSame || diff.pipelines.length === 0
        ? 'nothing-to-do'
        : failsOnChange && isSampleChange(diff)
          ? 'failed'
          : 'passed',
    headline: headlineOf(diff, nameOf),
    facts: [],
    findings: [],
    tables: [
      {
        title: 'Tables',
        columns: [
          'table',
          'rows before',
          'rows now',
          'added',
          'removed',
          'changed',
          'key',
          'changed rows by column',
        ],
        rows: diff.tables.filter(({ unknown }) => unknown === undefined).map((change) => totalRow(change)),
      },
      {
        title: 'Samples',
        columns: ['table', 'file', 'rows', 'not as expected'],
        rows: diff.samples.map(sampleRow),
      },
    ],
    blocks: [...pipelineBlocks(diff.pipelines), ...diff.tables.map((change) => tableBlock(change, nameOf))],
    isNews: isSampleChange(diff),
    notes: [...notesOf(diff, showsRows), ...notes],
  };
}

function totalRow(change: SampledTableChange): readonly string[] {
  const { table, rowsBefore, rowsAfter, added, removed, changed, key, columns } = change;
  const counted = columns.filter((column) => column.changed > 0);
  return [
    visibleText(table),
    countText(rowsBefore),
    countText(rowsAfter),
    countText(added),
    countText(removed),
    countText(changed),
    key.map(visibleText).join(', '),
    counted.map((column) => `${visibleText(column.name)} ${countText(column.changed)}`).join(', '),
  ];
}

/** `10,000,000` */
function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

function sampleRow({ table, files, rows, remarks }: SampleTable): readonly string[] {
  const [first = '', ...others] = files;
  const file = others.length === 0 ? first : `${first} and ${others.length} more`;
  const texts = remarks.map(({ column, what, expected, type }) => {
    const name = visibleText(column);
    if (what === 'extra') return `${name} is not known`;
    if (what === 'missing') return `${name} is missing, but not read`;
    return `${name} is ${type ?? ''}, not ${expected ?? ''}`;
  });
  return [visibleText(table), visibleText(file), countText(rows), texts.join('; ')];
}

function pipelineBlocks(pipelines: readonly SampledPipeline[]): readonly ReportBlock[] {
  return pipelines.flatMap(({ pipeline, status, end, reason, replacedLoads }) => {
    const lines = [
      ...(status === 'new' ? ['the pipeline is new: its tables are compared with the samples alone'] : []),
      ...(reason === undefined ? [] : [`not compared: ${oneLine(reason)}`]),
      ...(end?.before === undefined ? [] : [`before: ${endText(end.before)}`]),
      ...(end === undefined ? [] : [`now:    ${endText(end.after)}`]),
      ...replacedLoads.map(
        ({ component, at }) =>
          `"${oneLine(component)}" (${oneLine(at.file)}:${at.line}) did not load: its table has the rows of the sample`,
      ),
    ];
    return lines.length === 0 ? [] : [{ title: oneLine(pipeline), lines }];
  });
}

function endText({ status, component, message }: PipelineEnd): string {
  if (status === 'success') return 'the pipeline succeeds';
  const where = component === undefined ? '' : ` in "${oneLine(component)}"`;
  return `the pipeline fails${where}${message === undefined ? '' : `: ${oneLine(message)}`}`;
}

function tableBlock(change: SampledTableChange, nameOf: (table: string) => string): ReportBlock {
  const { table, kind, unknown, component, at, brokenKey, columns, key, rows } = change;
  const what = { created: ' (new)', removed: ' (no longer written)', changed: '' }[kind];
  const counts = unknown === undefined ? `: ${countsText(change)}` : '';
  const place = at === undefined ? '' : ` (${oneLine(at.file)}:${at.line})`;
  const writer =
    component === undefined
      ? []
      : [`${kind === 'removed' ? 'was written by' : 'written by'} "${oneLine(component)}"${place}`];
  const cells = Object.fromEntries(
    columns.map(({ name, changed }) => [name, changed] as const).filter(([, count]) => count > 0),
  );
  return {
    title: `table "${nameOf(table)}"${what}${counts}`,
    lines: [
      ...(unknown === undefined ? [] : [`its rows could not be compared: ${oneLine(unknown)}`]),
      ...keyLines(change),
      ...(brokenKey === undefined ? [] : [brokenText(brokenKey)]),
      ...writer,
      ...columnLines(columns),
      ...rowTable({ ...change, key, cells, columns: [], rows }),
    ],
  };
}

function keyLines({ kind, key, keyFrom, unknown, brokenKey }: SampledTableChange): readonly string[] {
  if (unknown !== undefined || kind !== 'changed') return [];
  if (key.length === 0)
    return brokenKey === undefined
      ? ['no key found: rows are compared as a whole; give one with `keys` in samples.yaml']
      : [];
  const from = {
    given: 'samples.yaml',
    declared: 'as the pipelines declare it',
    found: 'unique on both sides',
  };
  return [`key ${key.map(visibleText).join(', ')} (${keyFrom === undefined ? '' : from[keyFrom]})`];
}

function brokenText({
  columns,
  rowsBefore,
  rowsAfter,
}: NonNullable<SampledTableChange['brokenKey']>): string {
  const name = columns.map(visibleText).join(', ');
  const was = rowsBefore === 0 ? 'was unique and is not any more' : 'does not identify a row';
  return `! ${name} ${was}: ${countText(rowsBefore)} rows shared their key before, ${countText(rowsAfter)} now; rows are compared as a whole`;
}

function columnLines(columns: readonly ColumnCount[]): readonly string[] {
  const nameOf = shownNames(columns.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
  return columns.map(({ name, before, after, renamedFrom, changed, nullsBefore, nullsAfter }) => {
    if (renamedFrom !== undefined)
      return `~ column ${nameOf(renamedFrom)} is now ${nameOf(name)}, with the same values`;
    const mark =
      before === undefined && after !== undefined
        ? '+'
        : after === undefined && before !== undefined
          ? '-'
          : '~';
    const type = [before, after].filter((text) => text !== undefined).join(' → ');
    const facts = [
      ...(changed === 0
        ? []
        : [`${numberOf(changed, 'row')} changed`.replace(/^\d+/, (digits) => countText(Number(digits)))]),
      ...(nullsBefore === undefined && nullsAfter === undefined ? [] : [nullText(nullsBefore, nullsAfter)]),
    ];
    return `${mark} column ${nameOf(name)}${type === '' ? '' : ` ${type}`}${facts.length === 0 ? '' : `: ${facts.join('; ')}`}`;
  });
}

/** `null in 3 → 5 rows` */
function nullText(before: number | undefined, after: number | undefined): string {
  const counts = [before, after].filter((count) => count !== undefined).map(countText);
  return `null in ${[...new Set(counts)].join(' → ')} rows`.replace(/^null in 1 rows$/, 'null in 1 row');
}

const maxTables = 5;

function headlineOf(diff: SampleDiff, nameOf: (table: string) => string): string {
  const { isSame, pipelines, tables, equalTables } = diff;
  if (isSame) return 'No file of the project differs, so no data changes; no pipeline ran.';
  if (pipelines.length === 0)
    return 'No pipeline that the change affects reads a table that has a sample; nothing ran.';
  const readable = tables.filter(({ unknown }) => unknown === undefined);
  const unread = tables.length - readable.length;
  const ends = pipelines.filter(({ end, status }) => end !== undefined && status !== 'not-compared').length;
  const unknown = pipelines.filter(({ status }) => status === 'not-compared').length;
  const shown = readable
    .slice(0, maxTables)
    .map(
      (change) =>
        `${nameOf(change.table)} ${countsText(change)}${change.added + change.removed + change.changed === 0 ? ' (columns differ)' : ''}`,
    );
  const sentences = [
    ...(readable.length === 0
      ? []
      : [
          `Data changes in ${numberOf(readable.length, 'table')}: ${shown.join(', ')}${readable.length > maxTables ? ', …' : ''}`,
        ]),
    ...(ends === 0 ? [] : [`${numberOf(ends, 'pipeline')} ${ends === 1 ? 'ends' : 'end'} in another way`]),
    ...(unknown === 0 ? [] : [`${numberOf(unknown, 'pipeline')} could not be compared`]),
    ...(unread === 0 ? [] : [`${numberOf(unread, 'table')} could not be compared`]),
  ];
  const equal = `No data changes: ${numberOf(equalTables, 'table is', 'tables are')} equal`;
  return `${sentences.length === 0 ? equal : sentences.join('; ')}.`;
}

function notesOf(diff: SampleDiff, showsRows: boolean): readonly string[] {
  const {
    base,
    isSame,
    pipelines,
    samples,
    equalTables,
    tables,
    withoutSample,
    startedEmpty,
    unusedKeys,
    changedReaders,
  } = diff;
  const id = base.commit.slice(0, 12);
  const named = base.commit.startsWith(base.name) ? id : `${oneLine(base.name)} (${id})`;
  const where = base.isFork ? `where the branch left ${named}` : named;
  if (isSame) return [`Compared with ${where}.`];
  const list = (names: readonly string[]) => names.map(visibleText).join(', ');
  const ran = pipelines.map(({ pipeline }) => withoutSuffix(pipeline));
  return [
    `Compared with ${where}, on the rows of ${numberOf(samples.length, 'sample')}.`,
    ...(ran.length === 0 ? [] : [`Ran ${list(ran)}.`]),
    ...(tables.length === 0 || equalTables === 0
      ? []
      : [`${numberOf(equalTables, 'other table is', 'other tables are')} equal.`]),
    ...(withoutSample.length === 0 ? [] : [`Read without a sample: ${list(withoutSample)}.`]),
    ...(startedEmpty.length === 0
      ? []
      : [`Empty at the start, because no sample has its rows: ${list(startedEmpty)}.`]),
    ...(changedReaders.length === 0 || pipelines.every(({ status }) => status !== 'not-compared')
      ? []
      : [
          `To run only what reads the samples itself, name the changed ${changedReaders.length === 1 ? 'pipeline' : 'pipelines'}: ${list(changedReaders)}.`,
        ]),
    ...(unusedKeys.length === 0
      ? []
      : [
          `A key of samples.yaml has no effect, because no pipeline wrote the table with these columns: ${list(unusedKeys)}.`,
        ]),
    ...(tables.length === 0 || showsRows
      ? []
      : ['No values are shown, because they may be personal: --rows 10 shows some rows.']),
  ];
}
