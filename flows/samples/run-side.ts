import {
  type Column,
  type ExecutionStep,
  expectReadable,
  type FailedComponent,
  FileProblems,
  openWarehouse,
  physicalTable,
  quoteName,
  SqlError,
  Refusal,
  type Table,
  type TableName,
  type Warehouse,
} from '../../engine/index.ts';
import { describe } from '../diff/describe.ts';
import type { ComponentPlace } from '../diff/data-diff.ts';
import type { TestRun } from '../pipeline-tests/compare/test-run.ts';
import { writes } from '../pipeline-tests/compare/writers-of.ts';
import { refuseBrokenCalls } from '../pipeline-tests/files/broken-pipeline.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { labelOf } from '../pipeline-tests/first-test/table-label.ts';
import { execute, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';

/** A sampled table, with its rows in the database of all samples. */
export interface GivenTable {
  readonly table: TableName;
  readonly columns: readonly Column[];
  /** As statements name it that have the database attached as `given`. */
  readonly sql: string;
  readonly rows: number;
}

/** A table or view that a pipeline wrote, in the database file of its side. */
export interface SideTable {
  readonly name: string;
  readonly table: TableName;
  readonly columns: readonly Column[];
  readonly isView: boolean;
  readonly primaryKey: readonly string[];
  /** The columns by which a component matched rows when it updated the table; empty if none did. */
  readonly mergedBy: readonly string[];
  /** Schema and name in the file, as DuckDB's SQL writes them. */
  readonly sql: string;
  /** The component that wrote it last, and which of the pipelines that was, from 0. */
  readonly writer: Pick<Partial<ComponentPlace>, 'component' | 'at'>;
  readonly run: number;
  /** All pipelines that wrote it, from 0. */
  readonly runs: readonly number[];
  readonly lastWrite: number;
  /** Why the view cannot be read. The message may have values of rows. */
  readonly unreadable?: string;
}

/** How one pipeline ended. */
export type SideEnd =
  | { readonly status: 'success'; readonly replacedLoads: readonly ComponentPlace[] }
  | {
      readonly status: 'failure';
      readonly failed: FailedComponent | undefined;
      readonly replacedLoads: readonly ComponentPlace[];
    }
  /** It could not start: its files are wrong. */
  | { readonly status: 'unknown'; readonly reason: string }
  /** It did not run, because it uses tables of a pipeline that does not succeed on this side. */
  | { readonly status: 'skipped' };

export interface SideResult {
  /** Of all pipelines; undefined for one that this side does not have. */
  readonly ends: readonly (SideEnd | undefined)[];
  readonly tables: ReadonlyMap<string, SideTable>;
}

export interface SideRequest {
  readonly project: TestProject;
  readonly setting: TestSetting;
  /** Undefined for a pipeline that this side does not have; a text for one that cannot run. */
  readonly planned: readonly (PlannedTest | string | undefined)[];
  /** The pipelines that use tables of failed ones, by their numbers from 0. */
  readonly dependOn: (failed: ReadonlySet<number>) => ReadonlyMap<number, unknown>;
  readonly given: readonly GivenTable[];
  readonly empty: readonly { readonly table: TableName; readonly columns: readonly Column[] }[];
  /** The database file of the side, which this run creates. */
  readonly file: string;
  /** The database file with the rows of all samples. */
  readonly givenFile: string;
  readonly spillFolder: string;
  readonly memoryLimit: string;
  readonly packages?: string | undefined;
}

/**
 * Runs pipelines one after another on the samples, in a database file. SQL of the project cannot read files. Throws
 * Failure 'engine-missing', and the reason of a cancel.
 */
export async function runSide(request: SideRequest): Promise<SideResult> {
  const { project, setting, file, givenFile, spillFolder, memoryLimit, packages } = request;
  const { kind } = project;
  const attached = { given: givenFile };
  await using warehouse = await openTestWarehouse({ kind }, packages, (options) =>
    openWarehouse({ ...options, memoryLimit, file, attached, spillFolder }),
  );
  const own = warehouse.abortable(setting.signal);
  await createTables(request, own);
  const ends: (SideEnd | undefined)[] = [];
  const runs: TestRun[] = [];
  const failed = new Set<number>();
  for (const [index, planned] of request.planned.entries()) {
    setting.signal.throwIfAborted();
    const isSkipped = request.dependOn(failed).has(index);
    const end = isSkipped
      ? ({ status: 'skipped' } as const)
      : await endOf(planned, request, warehouse, (run) => (runs[index] = run));
    ends.push(end);
    if (end !== undefined && end.status !== 'success' && !isSkipped) failed.add(index);
  }
  return { ends, tables: await tablesOf(runs, own, project) };
}

async function createTables({ project, given, empty }: SideRequest, warehouse: Warehouse): Promise<void> {
  await warehouse.createSchema(project.defaults.database, project.defaults.schema);
  for (const { table, columns } of empty) await warehouse.createTable(table, columns, []);
  for (const each of given) await fill(each, warehouse);
}

/** Gives a table the rows of its sample. */
async function fill({ table, columns, sql }: GivenTable, warehouse: Warehouse): Promise<void> {
  const existing = warehouse.catalog.find(table);
  if (existing === undefined) await warehouse.createTable(table, columns, []);
  else await warehouse.run(`DELETE FROM ${existing.sql}`);
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  await warehouse.run(`INSERT INTO ${physicalTable(table)} (${names}) SELECT ${names} FROM ${sql}`);
}

async function endOf(
  planned: SideRequest['planned'][number],
  request: SideRequest,
  warehouse: Warehouse,
  note: (run: TestRun) => void,
): Promise<SideEnd | undefined> {
  if (planned === undefined) return undefined;
  return typeof planned === 'string'
    ? { status: 'unknown', reason: planned }
    : runPlanned(planned, request, warehouse, note);
}

async function runPlanned(
  planned: PlannedTest,
  { project, setting, given }: SideRequest,
  warehouse: Warehouse,
  note: (run: TestRun) => void,
): Promise<SideEnd> {
  const loadRows = async (target: TableName, at: Warehouse): Promise<string | undefined> => {
    const sample = given.find(({ table }) => physicalTable(table) === physicalTable(target));
    if (sample === undefined) return undefined;
    if (!(await isFilled(sample, at))) await fill(sample, at);
    return replaced;
  };
  try {
    const run = await execute(planned, warehouse, setting, { loadRows });
    refuseBrokenCalls(run.called, project);
    note(run);
    const replacedLoads = loadsOf(run);
    const { status, failed } = run.state;
    return status === 'SUCCESS'
      ? { status: 'success', replacedLoads }
      : { status: 'failure', failed, replacedLoads };
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    const [first] = error.problems;
    return { status: 'unknown', reason: first === undefined ? error.message : describe(first) };
  }
}

/** Whether a table has as many rows as its sample: a table that a pipeline has created again or emptied does not. */
async function isFilled({ table, rows }: GivenTable, warehouse: Warehouse): Promise<boolean> {
  const existing = warehouse.catalog.find(table);
  if (existing === undefined) return false;
  const counted = await warehouse.query(`SELECT count(*) FROM ${existing.sql}`, { maxRows: 1 });
  return Number(counted.rows[0]?.[0] ?? 0) === rows;
}

const replaced = 'The table has the rows of the sample.';

function loadsOf({ state, project }: TestRun): readonly ComponentPlace[] {
  const places = state.steps
    .filter(({ message }) => message === replaced)
    .flatMap(({ pipeline, component }) => placeOf(component, pipeline, project) ?? []);
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function placeOf(component: string, pipeline: string, project: TestProject): ComponentPlace | undefined {
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  return range && { component, at: { file: pipeline, line: range.line, column: range.column } };
}

async function tablesOf(
  runs: readonly TestRun[],
  warehouse: Warehouse,
  project: TestProject,
): Promise<ReadonlyMap<string, SideTable>> {
  await warehouse.refresh();
  const tables = new Map<string, SideTable>();
  for (const table of warehouse.catalog.all()) {
    const number = runs.findLastIndex((run) => run?.state.steps.some((step) => writes(step, table)));
    const run = runs[number];
    if (run === undefined) continue;
    const last = run.state.steps.findLast((step) => writes(step, table));
    const { sql, unreadable: reason } = await stored(table, tables.size, run.warehouse);
    const writer =
      last === undefined
        ? {}
        : (placeOf(last.component, last.pipeline, project) ?? { component: last.component });
    const name = labelOf(table, project);
    tables.set(name, {
      name,
      table,
      columns: table.columns,
      isView: table.kind === 'view',
      primaryKey: table.primaryKey ?? [],
      mergedBy: mergedBy(table, runs),
      sql,
      writer,
      run: number,
      runs: runs.flatMap((each, index) =>
        each.state.steps.some((step) => writes(step, table)) ? [index] : [],
      ),
      lastWrite: (last?.number ?? 0) + statementOf(last, table),
      ...(reason === undefined ? {} : { unreadable: reason }),
    });
  }
  return tables;
}

/** Where in a script a table is written last: from 0 to less than 1. */
function statementOf(step: ExecutionStep | undefined, table: Table): number {
  const place = Math.max(0, step?.changed?.indexOf(table.sql) ?? 0);
  return place / (place + 1);
}

/** Where the rows are. The rows of a view are computed now: the view needs the functions and the time of this warehouse. */
async function stored(
  table: Table,
  number: number,
  warehouse: Warehouse,
): Promise<{ readonly sql: string; readonly unreadable?: string }> {
  if (table.kind === 'table') return { sql: table.sql };
  const sql = `main.view_${number}`;
  try {
    expectReadable(table, warehouse.catalog, `"${table.table}"`, undefined);
    await warehouse.run(`CREATE TABLE ${sql} AS SELECT * FROM ${table.sql}`);
    return { sql };
  } catch (error) {
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return { sql, unreadable: error.message };
  }
}

/** The columns that MERGE statements compare with the columns of their rows, as the engine writes both. */
function mergedBy(table: Table, runs: readonly TestRun[]): readonly string[] {
  const statements = runs.flatMap((run) =>
    run.state.steps.flatMap((step) => (writes(step, table) ? (step.sql ?? []) : [])),
  );
  const sets = statements
    .filter((sql) => sql.startsWith('MERGE INTO'))
    .map((sql) => [
      ...new Set(
        Array.from(sql.matchAll(mergedColumn), ([, first, second]) =>
          (first ?? second ?? '').replaceAll('""', '"'),
        ),
      ),
    ]);
  const has = (name: string) => table.columns.some((column) => column.name === name);
  return sets.find((names) => names.length > 0 && names.every(has)) ?? [];
}

const name = '"((?:[^"]|"")+)"';
const mergedColumn = new RegExp(
  `\\btarget_1\\.${name} = source_1\\.|\\bsource_1\\."(?:[^"]|"")+" = target_1\\.${name}`,
  'g',
);
