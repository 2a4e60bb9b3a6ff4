import {
  type EngineSettings,
  type Execution,
  type ExecutionState,
  type FileProblem,
  FileProblems,
  type Mock,
  openPython,
  type Python,
  Refusal,
  SqlError,
  ValueError,
  type Warehouse,
  type WrittenTable,
  problemAt,
  startExecution,
  type FailedComponent,
  isMissingMock,
} from '../../../engine/index.ts';
import { checkExpectations } from '../compare/check-expectations.ts';
import { declaredTables, type DeclaredTables } from '../files/declared-tables.ts';
import { engineMocks } from './engine-mocks.ts';
import { givenNames } from '../compare/given-names.ts';
import { mockFaults, placeOfRow } from './mock-problems.ts';
import { refuseBrokenCalls } from '../files/broken-pipeline.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { tableNamed } from '../outside/table-named.ts';
import { tableRows } from '../files/table-rows.ts';
import type { TestCase } from '../files/test-file.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { TestContext } from './test-context.ts';
import type { Difference, TestResult } from '../compare/test-result.ts';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/core/ports/ports.ts';

/** What all tests of a project share when they run. */
export interface TestSetting extends Pick<TestContext, 'clock' | 'signal'> {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
  /** Undefined if Python components need a mock. */
  readonly python: Python | undefined;
}

export function testSetting(project: TestProject, { clock, signal, python }: TestContext): TestSetting {
  const opened = python === undefined ? undefined : openPython(python);
  return { project, clock, signal, declared: declaredTables(project), python: opened };
}

/** A function that inspects a run before its warehouse is emptied. */
export type Inspect = (run: TestRun, differences: readonly Difference[]) => void | Promise<void>;

/**
 * Runs one test in a warehouse that no other test uses at the same time, and empties the warehouse afterwards.
 * Throws FileProblems for invalid fixtures, and the reason of a cancel.
 */
export async function runTest(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
  inspect?: Inspect,
): Promise<TestResult> {
  const { file, test, document } = planned;
  const { project } = setting;
  const begin = setting.clock.now();
  try {
    const run = await execute(planned, warehouse, setting);
    refuseBrokenCalls(run.called, project);
    const faults = mockFaults(run);
    if (faults.length > 0) throw new FileProblems(faults);
    const { problem } = givenNames(run);
    if (problem !== undefined) throw new FileProblems([problem]);
    const further = await furtherMissingMocks(run.failures, async () => {
      await warehouse.clear();
      return execute(planned, warehouse, setting, { passesUnmocked: true });
    });
    const differences = await checkExpectations({ ...run, failures: [...run.failures, ...further] });
    await inspect?.(run, differences);
    return {
      file: file.file,
      line: test.place.line,
      name: test.name,
      pipeline: document.path,
      status: statusOf(differences),
      durationMs: setting.clock.now() - begin,
      differences,
    };
  } finally {
    await warehouse.clear();
  }
}

function statusOf(differences: readonly Difference[]): TestResult['status'] {
  if (differences.length === 0) return 'passed';
  return differences.some(({ kind }) => kind === 'refused') ? 'refused' : 'failed';
}

interface ExecuteOptions extends Pick<EngineSettings, 'passesUnmocked' | 'loadRows'> {
  /** As `repair` of the engine's settings, with the mocks of the run. */
  readonly repair?: ((failed: FailedComponent, mocks: Map<string, Mock>) => Promise<boolean>) | undefined;
}

/** Runs the pipeline of a test on its given tables. Throws FileProblems, also for a script that cannot be read. */
export async function execute(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
  { passesUnmocked = false, loadRows, repair }: ExecuteOptions = {},
): Promise<TestRun> {
  const { test, document, file } = planned;
  const { project, declared, python } = setting;
  const sources = { schemas: file.schemas, declared };
  const mocks = engineMocks(planned, sources, project);
  await checkOutputs(planned, warehouse, setting);
  await createGiven(planned, warehouse, setting);
  const stopping = new AbortController();
  const unreadable: FileProblem[] = [];
  const clock = testClock(test.startsAt);
  const execution = startExecution({
    id: 'test',
    pipeline: document.path,
    environment: 'test',
    files: (path) => scriptText(path, project, unreadable),
    parsed: (path) => project.pipeline(path),
    paths: project.paths,
    ownShared: project.shared,
    callRoots: project.roots,
    ...variablesOf(planned),
    script: [],
    componentTimeMs: 0,
    clock,
    limits: { keptSteps: 100_000 },
    engine: {
      warehouse: warehouse.abortable(stopping.signal),
      kind: project.kind,
      defaults: project.defaults,
      mocks,
      python,
      passesUnmocked,
      loadRows,
      ...(repair === undefined ? {} : { repair: (failed) => repair(failed, mocks) }),
    },
    onChange: () => {},
  });
  const { state, isTimedOut } = await endOf(execution, stopping, test, setting);
  // Even if a branch of the pipeline handled the failure.
  if (unreadable.length > 0) throw new FileProblems(unreadable);
  const [variables, failures, called] = [execution.variables(), execution.failures(), execution.called()];
  // A view that reads the clock is compared at the time of the test too.
  const inspected = warehouse.abortable(new AbortController().signal, () => clock.now());
  return { planned, state, failures, called, isTimedOut, variables, warehouse: inspected, project };
}

/** Creates the tables in `given`. Throws FileProblems. */
export async function createGiven(
  planned: Pick<PlannedTest, 'file' | 'test'>,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<void> {
  await createSchema(warehouse, setting.project);
  await warehouse.transaction(async () => {
    for (const table of planned.test.given) await createTable(table, planned, warehouse, setting);
  });
}

/** Puts the outputs of mocks into a table, which names a value that does not fit. A pipeline only computes with them. */
async function checkOutputs(planned: PlannedTest, warehouse: Warehouse, setting: TestSetting): Promise<void> {
  const outputs = planned.test.mocks.flatMap(({ output }) => output ?? []);
  const typed = outputs.filter(({ columns }) => columns.length > 0);
  if (typed.length === 0) return;
  await warehouse.transaction(async () => {
    for (const output of typed) await createTable(output, planned, warehouse, setting);
  });
  await warehouse.clear();
}

/** The text of a script; its problems go to the list. */
function scriptText(path: string, project: TestProject, unreadable: FileProblem[]): string | undefined {
  try {
    return project.text(path);
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    unreadable.push(...error.problems);
    return undefined;
  }
}

/** The schema of the environment exists, also without given tables. */
function createSchema(warehouse: Warehouse, { defaults: { database, schema } }: TestProject): Promise<void> {
  return warehouse.createSchema(database, schema);
}

async function createTable(
  table: WrittenTable,
  { file }: Pick<PlannedTest, 'file'>,
  warehouse: Warehouse,
  { project, declared }: TestSetting,
): Promise<void> {
  const { name, content } = table;
  const { columns, rows } = tableRows(table, { schemas: file.schemas, declared }, project);
  const tableName = tableNamed(name.text, name.place, project);
  try {
    await warehouse.createTable(tableName, columns, rows);
  } catch (error) {
    if (error instanceof ValueError) {
      throw problemAt(placeOfRow(content, error, name.place, project), error.message);
    }
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    throw problemAt(name.place, `the table "${name.text}": ${error.message}`);
  }
}

/** Values of variables that the pipeline declares; others are variables of the project. */
function variablesOf({ test, document }: PlannedTest) {
  const declared = test.variables.filter(({ name }) => document.variables.has(name.text));
  const others = test.variables.filter(({ name }) => !document.variables.has(name.text));
  const scalars = declared.flatMap(({ name, value }) =>
    typeof value === 'string' ? [[name.text, value] as const] : [],
  );
  const grids = declared.flatMap(({ name, value }) =>
    typeof value === 'string' ? [] : [[name.text, value] as const],
  );
  return {
    scalarVariables: Object.fromEntries(scalars),
    gridVariables: Object.fromEntries(grids),
    projectVariables: new Map(
      others.map(({ name, node, value }) => {
        const type = node.kind === 'scalar' && typeof node.value === 'number' ? 'NUMBER' : 'TEXT';
        return [name.text, { type, behaviour: 'SHARED', value: String(value) }];
      }),
    ),
  };
}

/** Waits for the end of an execution, and ends it at the time limit and when the user cancels. */
async function endOf(
  execution: Execution,
  stopping: AbortController,
  { timeoutMs }: TestCase,
  { clock, signal }: TestSetting,
): Promise<{ readonly state: ExecutionState; readonly isTimedOut: boolean }> {
  const done = new AbortController();
  let isTimedOut = false;
  const stop = () => {
    execution.terminate(true);
    stopping.abort();
  };
  const watch = async () => {
    try {
      await clock.sleep(timeoutMs, AbortSignal.any([done.signal, signal]));
      isTimedOut = true;
      stop();
    } catch {
      if (signal.aborted) stop();
    }
  };
  const watching = watch();
  const state = await execution.ended;
  done.abort();
  await watching;
  signal.throwIfAborted();
  return { state, isTimedOut };
}

/**
 * The components that would need a mock after those that need one in `failures`: a run that continues after each finds
 * them, so that a person can add all mocks at once.
 */
async function furtherMissingMocks(
  failures: readonly FailedComponent[],
  runPassingUnmocked: () => Promise<TestRun>,
): Promise<readonly FailedComponent[]> {
  if (!failures.some(isUnmocked)) return [];
  const run = await runPassingUnmocked();
  const keyOf = ({ pipeline, component }: FailedComponent) => JSON.stringify([pipeline, component]);
  const seenKeys = new Set(failures.map(keyOf));
  return run.failures.filter((failure) => isUnmocked(failure) && !seenKeys.has(keyOf(failure)));
}

function isUnmocked({ refusal }: FailedComponent): boolean {
  return refusal !== undefined && isMissingMock(refusal);
}

/** A clock that stays where the test sets it, except that waiting advances it. */
function testClock(startsAt: number): Clock {
  let now = startsAt;
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      now += ms;
      // Timers and signals get their turn, also in a pipeline that waits in an endless loop.
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
}
