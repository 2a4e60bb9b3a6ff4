import { FileProblems, type Warehouse } from '../../engine/index.ts';
import { refuseBrokenCalls } from '../pipeline-tests/files/broken-pipeline.ts';
import { checkOutcome } from '../pipeline-tests/compare/check-outcome.ts';
import { givenNames } from '../pipeline-tests/compare/given-names.ts';
import { mockFaults } from '../pipeline-tests/run/mock-problems.ts';
import { findComponent, type PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { createGiven, execute, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { TestRun } from '../pipeline-tests/compare/test-run.ts';
import type { BaseProject } from './base-project.ts';
import { describe } from './describe.ts';
import type { ComponentPlace, PipelineEnd } from './data-diff.ts';
import { readTables, type TableContent } from './table-content.ts';

/** The result of a run: how the pipeline ended, and the tables. */
export interface RunResult {
  readonly end: PipelineEnd;
  /** Whether the test expects this end. */
  readonly isAsExpected: boolean;
  readonly tables: ReadonlyMap<string, TableContent>;
  /** Paths of the pipelines that were to run. */
  readonly called: readonly string[];
  /** The components that ran, each as `keyOfComponent`; those with a mock are in `mocked`. */
  readonly ran: ReadonlySet<string>;
  readonly mocked: ReadonlySet<string>;
  /** Why the run says nothing about the data: a construct that the engine refuses, or the time limit. */
  readonly unknown?: string;
}

/** Runs the pipeline of a test, reads the result, and empties the warehouse. Throws FileProblems. */
export async function runOnce(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<RunResult> {
  try {
    const run = await execute(planned, warehouse, setting);
    refuseBrokenCalls(run.called, setting.project);
    const faults = mockFaults(run);
    if (faults.length > 0) throw new FileProblems(faults);
    const { problem } = givenNames(run);
    if (problem !== undefined) throw new FileProblems([problem]);
    const differences = checkOutcome(run);
    const stop = differences.find(({ kind }) => kind === 'refused' || kind === 'timeout');
    const { status, failed, message } = run.state;
    const failure =
      failed === undefined ? { message } : { component: failed.component, message: failed.message };
    const end: PipelineEnd = status === 'SUCCESS' ? { status: 'success' } : { status: 'failure', ...failure };
    const isAsExpected = differences.length === 0;
    const facts = { end, isAsExpected, called: run.called, ...componentsOf(run) };
    if (stop !== undefined) return { ...facts, tables: new Map(), unknown: describe({ ...stop }) };
    return { ...facts, tables: await readTables(run) };
  } finally {
    await warehouse.clear();
  }
}

/** The result for a pipeline that does not exist: only the given tables. Throws FileProblems. */
export async function givenOnly(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<RunResult> {
  try {
    await createGiven(planned, warehouse, setting);
    return {
      end: { status: 'success' },
      ...nothingRan,
      tables: await readTables({ warehouse, project: setting.project }),
    };
  } finally {
    await warehouse.clear();
  }
}

/** The result for a pipeline that did not run. */
export const nothingRan = {
  isAsExpected: true,
  called: [],
  ran: new Set<string>(),
  mocked: new Set<string>(),
};

/** A component and its pipeline as one text. */
export function keyOfComponent(pipeline: string, component: string): string {
  return JSON.stringify([pipeline, component]);
}

function componentsOf({ planned, state, project }: TestRun): Pick<RunResult, 'ran' | 'mocked'> {
  const ran = state.steps.filter(({ status }) => status !== 'SKIPPED');
  return {
    ran: new Set(ran.map(({ pipeline, component }) => keyOfComponent(pipeline, component))),
    mocked: mockedComponents(planned, project),
  };
}

/** The components that have a mock in a test, each as `keyOfComponent`. */
function mockedComponents({ test, document }: PlannedTest, project: TestProject): ReadonlySet<string> {
  const mocked = test.mocks.flatMap(({ name }) => {
    const target = findComponent(name.text, document, project);
    return target === undefined ? [] : [keyOfComponent(target.path, target.component)];
  });
  return new Set(mocked);
}

/** Replaces the paths of renamed pipelines of the base by their paths on disk. */
export function withNewPaths(ran: ReadonlySet<string>, { renamed }: BaseProject): ReadonlySet<string> {
  const current = new Map(Array.from(renamed, ([now, before]) => [before, now]));
  return new Set(
    Array.from(ran, (key) => {
      const [file, component] = parsed(key);
      return keyOfComponent(current.get(file) ?? file, component);
    }),
  );
}

/**
 * The components that exist on both sides but ran on one side only. Components of pipelines that did not run at all
 * on the other side are left out.
 */
export function componentsOnlyIn(
  components: ReadonlySet<string>,
  other: ReadonlySet<string>,
  { project, base }: { readonly project: TestProject; readonly base: BaseProject },
): readonly ComponentPlace[] {
  const pipelines = new Set([...other].map((key) => parsed(key)[0]));
  return [...components].flatMap((key) => {
    const [file, component] = parsed(key);
    if (other.has(key) || !pipelines.has(file)) return [];
    const range = project.pipeline(file)?.components.get(component)?.range;
    if (
      range === undefined ||
      base.project.pipeline(base.renamed.get(file) ?? file)?.components.has(component) !== true
    )
      return [];
    return [{ component, at: { file, line: range.line, column: range.column } }];
  });
}

function parsed(key: string): readonly [file: string, component: string] {
  return JSON.parse(key) as [string, string];
}
