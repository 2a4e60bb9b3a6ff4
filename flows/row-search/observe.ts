import { isDeepStrictEqual } from 'node:util';
import { FileProblems, SqlError, type Warehouse } from '../../engine/index.ts';
import { compareTables } from '../diff/compare-tables.ts';
import type { TableChange } from '../diff/data-diff.ts';
import { readTables, type TableContent } from '../diff/table-content.ts';
import { checkOutcome } from '../pipeline-tests/compare/check-outcome.ts';
import { comparableOfValue } from '../pipeline-tests/compare/compare-values.ts';
import { ranComponents } from '../pipeline-tests/compare/ran-components.ts';
import type { TestRun } from '../pipeline-tests/compare/test-run.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { mockFaults } from '../pipeline-tests/run/mock-problems.ts';
import { execute, type TestSetting } from '../pipeline-tests/run/run-test.ts';

/** The result of running a pipeline with some rows. */
export interface Observation {
  readonly status: 'success' | 'failure';
  /** The component that failed first, and why. */
  readonly failure: string | undefined;
  readonly tables: ReadonlyMap<string, TableContent>;
  /** Equal for runs that leave the same tables, variables and ran components. */
  readonly print: string;
}

export interface ObserveOptions {
  readonly inspect?: (run: TestRun) => Promise<void>;
  /** Tables that are only read if the pipeline writes them: what it does not write is the same for all versions. */
  readonly idle?: ReadonlySet<string>;
}

/**
 * Runs the pipeline of a test, and empties the warehouse. Undefined if the run shows nothing: the rows do not fit,
 * the engine refuses a construct, or the time limit has passed.
 */
export async function observe(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
  { inspect, idle = new Set() }: ObserveOptions = {},
): Promise<Observation | undefined> {
  setting.signal.throwIfAborted();
  try {
    const run = await execute(planned, warehouse, setting);
    if (mockFaults(run).length > 0) return undefined;
    const stops = checkOutcome(run).some(({ kind }) => kind === 'refused' || kind === 'timeout');
    if (stops) return undefined;
    await inspect?.(run);
    const tables = await readTables(run, (name) => !idle.has(name));
    const isSuccess = run.state.status === 'SUCCESS';
    const [failed] = run.failures;
    const failure = isSuccess
      ? undefined
      : `${failed?.component ?? ''}: ${failed?.message ?? run.state.message}`;
    return { status: isSuccess ? 'success' : 'failure', failure, tables, print: printOf(run, tables) };
  } catch (error) {
    // What `inspect` reads may be a view that cannot be read.
    if (error instanceof FileProblems || error instanceof SqlError) return undefined;
    throw error;
  } finally {
    await warehouse.clear();
  }
}

function printOf(run: TestRun, tables: ReadonlyMap<string, TableContent>): string {
  const contents = Array.from(tables, ([name, { columns, rows, unknown, digest }]) => [
    name,
    columns.map((column) => column.name),
    unknown,
    digest,
    rows
      .map((row) =>
        columns
          .map(({ type }, index) => comparableOfValue(row[index] ?? null, type, 'as itself').key)
          .join('\u0000'),
      )
      .toSorted(),
  ]);
  const { planned, state, variables } = run;
  const values = Array.from(variables, ([name, { value }]) => [name, value]);
  const ran = [...ranComponents(planned.document.path, state)].toSorted();
  const [failed] = run.failures;
  const end = state.status === 'SUCCESS' ? '' : (failed?.component ?? 'failed');
  return JSON.stringify([end, contents, values, ran]);
}

/** How the results of two versions of a pipeline differ with the same rows. */
export interface RowDifference {
  /** What a test with these rows sees. `failure`: only one of them succeeds. */
  readonly by: 'tables' | 'variables or components' | 'failure';
  readonly tables: readonly TableChange[];
  /** The names of variables with another value. */
  readonly variables: readonly string[];
}

/** The difference that an expectation of a test can show; undefined if there is none. */
export function differenceOf(
  before: Observation,
  after: Observation,
  project: TestProject,
): RowDifference | undefined {
  if (before.print === after.print) return undefined;
  if (before.status !== after.status) return { by: 'failure', tables: [], variables: [] };
  const { changes } = compareTables(before.tables, after.tables, { project, onlyWritten: false });
  const tables = changes.filter((change) => isVisible(change, before));
  const [left, right] = [partsOf(before.print), partsOf(after.print)];
  const variables = differingVariables(left, right);
  if (tables.length > 0) return { by: 'tables', tables, variables };
  const isSame = variables.length === 0 && isDeepStrictEqual([left.end, left.ran], [right.end, right.ran]);
  return isSame ? undefined : { by: 'variables or components', tables: [], variables };
}

/** Expectations name no types, and no columns without rows. */
function isVisible(change: TableChange, { tables }: Observation): boolean {
  const { table, kind, added, removed, changed, columns, unknown } = change;
  if (unknown !== undefined) return false;
  const hasRows = (tables.get(table)?.count ?? 0) > 0;
  const hasOtherNames = columns.some(({ before, after }) => before === undefined || after === undefined);
  return kind !== 'changed' || added + removed + changed > 0 || (hasOtherNames && hasRows);
}

interface PrintParts {
  readonly end: string;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly ran: readonly string[];
}

function partsOf(print: string): PrintParts {
  const [end, , values, ran] = JSON.parse(print) as readonly [
    string,
    unknown,
    readonly (readonly [string, unknown])[],
    readonly string[],
  ];
  return { end, variables: new Map(values), ran };
}

function differingVariables(left: PrintParts, right: PrintParts): readonly string[] {
  return [...left.variables.keys()].filter(
    (name) => !isDeepStrictEqual(left.variables.get(name), right.variables.get(name)),
  );
}
