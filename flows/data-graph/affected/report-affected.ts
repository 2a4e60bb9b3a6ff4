import { z } from 'zod';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Report, ReportTable } from '../../../lib/report/report.ts';
import type { AffectedReport } from './affected.ts';
import { changeText } from '../../snapshot/difference/change-text.ts';
import type { ChangedColumn, UsedAt } from '../../snapshot/difference/changed-columns.ts';
import { tableSchema } from '../compile/report-schema.ts';
import { unreadableFindings } from '../texts/unreadable-pipelines.ts';

const line = z.int().min(1);
export const usedAtSchema = z.object({ pipeline: z.string(), file: z.string(), line });
const changes = ['dropped', 'removed', 'renamed', 'retyped', 'added'] as const;

export const columnReaderSchema = usedAtSchema.extend({
  reads: z
    .enum(['column', 'all', 'unknown'])
    .describe(
      '`column`: by its name; `all`: with all columns; `unknown`: the component names the table, but Millrace cannot analyse all of it.',
    ),
});

export const changedPipelinesSchema = z.array(
  z.object({
    pipeline: z.string().describe('The path now; of a deleted pipeline, the old path.'),
    line: line.optional().describe('The first change; left out for a deleted pipeline.'),
    what: z.string(),
  }),
);

export const affectedPipelinesSchema = z.array(
  z.object({ pipeline: z.string(), line, because: z.array(z.string()) }),
);

export const unreadableSchema = z.array(
  z.object({ pipeline: z.string(), file: z.string(), line, column: z.int().min(1), message: z.string() }),
);

/** The schema of what `millrace affected --json` prints. */
export const affectedReportSchema = z.object({
  changed: changedPipelinesSchema.describe('Pipelines that do something different from the base.'),
  affected: affectedPipelinesSchema.describe(
    'Callers, and readers of tables that changed pipelines write; `because` leads from the pipeline to the change.',
  ),
  entryPoints: z
    .array(z.string())
    .describe('Changed and affected pipelines that no pipeline of the project calls.'),
  tests: z.array(z.object({ test: z.string(), because: z.array(z.string()) })),
  columns: z
    .array(
      z.object({
        table: tableSchema,
        column: z
          .string()
          .optional()
          .describe('The old name; left out if no pipeline creates the table any more.'),
        change: z
          .enum(changes)
          .describe(
            '`dropped`: the table; `renamed`: a new column of the same type is in its place, and no other column changed.',
          ),
        before: z.string().optional().describe('The type before, of `removed` and `retyped`.'),
        after: z
          .string()
          .optional()
          .describe('The type now, of `added` and `retyped`; of `renamed`, the new name.'),
        writers: z.array(usedAtSchema).describe('What creates or alters the table.'),
        readers: z.array(columnReaderSchema),
      }),
    )
    .describe('Columns of tables that pipelines create, with the components that read them.'),
  unknownColumns: z
    .array(z.object({ table: tableSchema, writers: z.array(usedAtSchema) }))
    .describe('Tables whose definition changed, and whose columns are not all known.'),
  edges: z
    .array(
      z.object({
        from: z.string(),
        to: z.string(),
        line,
        table: z
          .string()
          .optional()
          .describe('The table that `to` reads; left out for a call, and if it is known only at run time.'),
        isSure: z.boolean().describe('True: `to` uses `from`. False: it possibly does.'),
      }),
    )
    .describe(
      'How changed and affected pipelines are connected: `to` calls `from`, or reads a table that `from` writes.',
    ),
  notFollowed: z
    .array(z.string())
    .describe(
      'Pipelines that may be affected, and write tables whose names are known only at run time: the readers of these tables are left out.',
    ),
  unreadable: unreadableSchema.describe(
    'Pipelines that cannot be read: what they call and read is not known.',
  ),
});

/** What the command or action adds to the report. */
export interface AffectedAddition {
  /** What makes a path of the project one of the repository. */
  readonly prefix?: string;
  /** How many rows a table has at most; what is left out is counted. Default: all. */
  readonly maxRows?: number;
  readonly notes?: readonly string[];
}

/** How many places a cell lists. */
const maxPlaces = 10;

/**
 * The report about what a change affects, the same for command, action and comment.
 * @param base what the project was compared with
 */
export function reportOfAffected(
  report: AffectedReport,
  base: string,
  { prefix = '', maxRows = Infinity, notes = [] }: AffectedAddition = {},
): Report {
  const { changed, affected, entryPoints, tests, columns, unknownColumns, notFollowed } = report;
  const place = (file: string, at: number | undefined) =>
    at === undefined ? `${prefix}${file}` : `${prefix}${file}:${at}`;
  const because = (steps: readonly string[]) => steps.join('; ');
  const tables: readonly ReportTable[] = [
    {
      title: 'Changed columns and their readers',
      columns: changeColumns,
      rows: columns.toSorted(compareChanges).map((column) => columnRow(column, prefix)),
    },
    {
      title: 'Changed pipelines',
      columns: ['pipeline', 'what'],
      rows: changed.map((each) => [place(each.pipeline, each.line), each.what]),
    },
    {
      title: 'Affected pipelines',
      columns: ['pipeline', 'because'],
      rows: affected.map((each) => [place(each.pipeline, each.line), because(each.because)]),
    },
    {
      title: 'Entry points to run',
      columns: ['pipeline'],
      rows: entryPoints.map((pipeline) => [place(pipeline, undefined)]),
    },
    {
      title: 'Tests to run',
      columns: ['test', 'because'],
      rows: tests.map((each) => [place(each.test, undefined), because(each.because)]),
    },
  ];
  const cut = tables.flatMap(({ title, rows }) =>
    rows.length > maxRows ? [`${title}: ${rows.length - maxRows} more.`] : [],
  );
  const unknown = unknownColumns.map(
    ({ table, writers: [writer] }) =>
      `${table.table}${writer === undefined ? '' : ` (${place(writer.file, writer.line)})`}`,
  );
  return {
    title: 'Affected',
    outcome: affectedOutcome(report),
    headline: headlineOf(report),
    facts: [['compared with', base]],
    findings: unreadableFindings(report.unreadable, prefix),
    tables: tables.map((table) => ({ ...table, rows: table.rows.slice(0, maxRows) })),
    notes: [
      ...(unknown.length === 0
        ? []
        : [
            `The readers of changed columns are not listed for ${shortList(unknown)}, because the columns of ${unknown.length === 1 ? 'this table' : 'these tables'} are not all known. The pipelines that read the ${unknown.length === 1 ? 'table' : 'tables'} are among the affected pipelines.`,
          ]),
      ...(notFollowed.length === 0
        ? []
        : [
            `${numberOf(notFollowed.length, 'pipeline')} may be affected, and ${notFollowed.length === 1 ? 'writes' : 'write'} tables whose names are known only at run time. The readers of these tables are not listed: ${shortList(notFollowed.map((pipeline) => place(pipeline, undefined)))}.`,
          ]),
      ...cut,
      ...notes,
    ],
    isNews: columns.some(isBreaking),
  };
}

/** The outcome of the report: failed if a pipeline cannot be read, because more may be affected than is known. */
export function affectedOutcome({ unreadable }: AffectedReport): 'passed' | 'failed' {
  return unreadable.length > 0 ? 'failed' : 'passed';
}

function headlineOf(report: AffectedReport): string {
  const { unreadable } = report;
  const affected = affectedCounts(report);
  return unreadable.length === 0
    ? affected
    : `${affected} ${numberOf(unreadable.length, 'pipeline')} could not be read: more may be affected.`;
}

function affectedCounts({ changed, affected, entryPoints, tests, columns }: AffectedReport): string {
  const broken = columns.filter(isBreaking);
  const readers = new Set(
    broken.flatMap((column) => column.readers.map(({ file, line: at }) => `${file}:${at}`)),
  );
  const counts = `${numberOf(changed.length, 'pipeline')} changed, ${affected.length} more affected; ${numberOf(entryPoints.length, 'entry point')} and ${numberOf(tests.length, 'test file')} to run.`;
  if (broken.length === 0) return counts;
  const [one] = broken;
  const what = one?.column === undefined ? 'table or column' : 'column';
  return `${counts} ${numberOf(broken.length, `changed ${what}`, `changed ${what}s`)} ${broken.length === 1 ? 'has' : 'have'} ${numberOf(readers.size, 'reader')}.`;
}

/** Whether something that others read is not as they expect. */
function isBreaking({ change, readers }: ChangedColumn): boolean {
  return change !== 'added' && readers.length > 0;
}

/** Columns with readers first, then by what the change does. */
function compareChanges(a: ChangedColumn, b: ChangedColumn): number {
  return (
    Number(isBreaking(b)) - Number(isBreaking(a)) ||
    changes.indexOf(a.change) - changes.indexOf(b.change) ||
    compareTexts(a.table.table, b.table.table)
  );
}

/** The column titles of the rows of `columnRow`. */
export const changeColumns = ['column', 'change', 'written at', 'read at'] as const;

/**
 * A changed column or table as a table row: its name, its change, the components that write it, and those that read
 * it.
 */
export function columnRow(
  { table, column, change, before, after, writers, readers }: ColumnChange,
  prefix: string,
): readonly string[] {
  const at = ({ file, line: row }: Pick<UsedAt, 'file' | 'line'>) => `${prefix}${file}:${row}`;
  const kinds = { column: '', all: ' (all columns)', unknown: ' (possibly: cannot be analysed completely)' };
  return [
    column === undefined ? table.table : `${table.table}.${column}`,
    changeText({ change, before, after }),
    shortList(writers.map(at)),
    readers.length === 0
      ? 'nothing'
      : shortList(readers.map((reader) => `${at(reader)}${kinds[reader.reads]}`)),
  ];
}

/** A changed column, or a table. */
interface ColumnChange extends Pick<ChangedColumn, 'table' | 'writers' | 'readers'> {
  readonly column?: string | undefined;
  readonly change: ChangedColumn['change'] | 'created';
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The first items of a list, and how many more there are. */
export function shortList(items: readonly string[]): string {
  const shown = items.slice(0, maxPlaces).join(', ');
  return items.length > maxPlaces ? `${shown} and ${items.length - maxPlaces} more` : shown;
}
