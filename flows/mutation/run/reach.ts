import { type FileProblem, FileProblems } from '../../../engine/index.ts';
import { reachable } from '../../../lib/pipelines/model/graph.ts';
import { declaredTables, type DeclaredTables } from '../../pipeline-tests/files/declared-tables.ts';
import { mayReach } from './may-reach.ts';
import { findComponent, type PlannedTest } from '../../pipeline-tests/files/planned-test.ts';
import { collectProblems, sortedProblems } from '../../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { traceReads } from '../../pipeline-tests/files/trace-reads.ts';
import type { TestResult } from '../../pipeline-tests/compare/test-result.ts';
import { keyOf, type Reached, reachedBy } from '../../pipeline-tests/run/coverage.ts';
import { countProcesses, sharedPython } from '../../pipeline-tests/run/count-processes.ts';
import { planFile } from '../../pipeline-tests/run/plan-file.ts';
import { testSetting, type TestSetting } from '../../pipeline-tests/run/run-test.ts';
import { noTest, type TestRequest } from '../../pipeline-tests/run/run-tests.ts';
import { runPlanned } from '../../pipeline-tests/run/run-planned.ts';
import type { TestContext } from '../../pipeline-tests/run/test-context.ts';
import type { Fault } from '../faults/fault.ts';

/** A test that passes without a change, and what it reaches. */
export interface ReachingTest {
  readonly planned: PlannedTest;
  /** Whether a change can change what this test does. */
  reaches(fault: Pick<Fault, 'file' | 'component' | 'part' | 'transition'>): boolean;
}

/** A test that fails without a change. */
export interface FailedTest extends Pick<TestResult, 'file' | 'line' | 'name'> {
  readonly status: 'failed' | 'refused';
}

/** What the tests of a project reach. */
export interface Reach {
  /** The tests that pass, in the order of the files. */
  readonly tests: readonly ReachingTest[];
  /** The tests that do not pass without a change. They notice nothing. */
  readonly failed: readonly FailedTest[];
  /** What is wrong in test files, fixtures and pipelines. */
  readonly problems: readonly FileProblem[];
  /** Of the project without a change. A change does not declare other columns. */
  readonly declared: DeclaredTables;
  /** Every file that a test read. */
  readonly files: ReadonlySet<string>;
}

export interface ReachRequest extends Pick<
  TestRequest,
  'project' | 'files' | 'filter' | 'jobs' | 'packages'
> {
  /** Only tests that may reach these files; all if undefined. */
  readonly changed?: readonly string[] | undefined;
}

/**
 * Runs each test that may reach the changed files once without a change, and records what it reaches. Throws
 * Failure 'no-test' and 'engine-missing', and the reason of a cancel.
 */
export async function reachOf(request: ReachRequest, context: TestContext): Promise<Reach> {
  const { project, files, filter, jobs, packages, changed } = request;
  const isAsked = changed === undefined ? () => true : mayReach(changed, project);
  const declared = declaredTables(project);
  const problems: FileProblem[] = [];
  const due: PlannedTest[] = [];
  const readFiles = new Set<string>();
  let planCount = 0;
  for (const path of files) {
    const planned = await collectProblems(problems, () => planFile(path, project, { filter, packages }));
    planCount += planned?.length ?? 0;
    due.push(...(planned?.filter(isAsked) ?? []));
  }
  if (planCount + problems.length === 0) throw noTest(request);
  const processes = countProcesses(due.length, { jobs, project }, context);
  const python = sharedPython(context.python, processes);
  const common = testSetting(project, { ...context, python });
  const settings = new Map<PlannedTest, TestSetting>();
  const texts = new Map<PlannedTest, Iterable<string>>();
  for (const test of due) {
    const traced = traceReads(project, declared);
    settings.set(test, { ...common, project: traced.project, declared: traced.declared });
    texts.set(test, traced.reads.texts.keys());
  }
  const ran = new Map<PlannedTest, RunParts>();
  const note = (test: PlannedTest, called: Iterable<string>, reached: Reached) =>
    ran.set(test, partsOf(test, { called, reached }, project));
  const results = await runPlanned(due, {
    jobs,
    project,
    packages,
    processes,
    python,
    coverage: undefined,
    settingOf: (test) => settings.get(test) ?? common,
    onRun: (test, run) => note(test, run.called, reachedBy(run)),
    onTrace(test, trace) {
      texts.set(test, trace.texts);
      note(test, trace.called, trace.reached);
    },
  });
  const leadsToJoin = joinFinder(project);
  const tests: ReachingTest[] = [];
  const failed: FailedTest[] = [];
  // In the order of the files, whatever ended first.
  for (const planned of due) {
    const result = results.get(planned);
    const read = new Set(texts.get(planned));
    for (const file of read) readFiles.add(file);
    if (result instanceof FileProblems) problems.push(...result.problems);
    else if (result?.status === 'passed')
      tests.push(reachingTest(planned, { texts: read, parts: ran.get(planned), leadsToJoin }));
    else if (result !== undefined) failed.push(failedTest(result));
  }
  return { tests, failed, problems: sortedProblems(problems), declared, files: readFiles };
}

function failedTest({ file, line, name, status }: TestResult): FailedTest {
  return { file, line, name, status: status === 'refused' ? status : 'failed' };
}

interface RunParts {
  /** Pipelines that ran. */
  readonly called: ReadonlySet<string>;
  /** Components that ran, with a mock or without one. */
  readonly ran: ReadonlySet<string>;
  readonly mocked: ReadonlySet<string>;
  readonly transitions: ReadonlySet<string>;
}

function partsOf(
  { test, document }: PlannedTest,
  { called, reached }: { readonly called: Iterable<string>; readonly reached: Reached },
  project: TestProject,
): RunParts {
  const mocked = test.mocks.flatMap(({ name }) => {
    const target = findComponent(name.text, document, project);
    return target === undefined ? [] : [keyOf(target.path, target.component)];
  });
  return {
    called: new Set(called),
    ran: new Set(reached.components),
    mocked: new Set(mocked),
    transitions: new Set(reached.transitions),
  };
}

/** Whether a transition from a component may decide what an `and` waits for, directly or through others. */
type LeadsToJoin = (pipeline: string, component: string) => boolean;

function joinFinder(project: TestProject): LeadsToJoin {
  const known = new Map<string, boolean>();
  return (pipeline, component) => {
    const key = keyOf(pipeline, component);
    const before = known.get(key);
    if (before !== undefined) return before;
    const components = project.pipeline(pipeline)?.components;
    const seen = reachable([component], (name) =>
      (components?.get(name)?.transitions ?? []).map(({ to }) => to),
    );
    const leads = [...seen].some((name) => name !== component && components?.get(name)?.type === 'and');
    known.set(key, leads);
    return leads;
  };
}

function reachingTest(
  planned: PlannedTest,
  {
    texts,
    parts,
    leadsToJoin,
  }: {
    readonly texts: ReadonlySet<string>;
    readonly parts: RunParts | undefined;
    readonly leadsToJoin: LeadsToJoin;
  },
): ReachingTest {
  return {
    planned,
    reaches({ file, component, part, transition }) {
      if (component === undefined) return texts.has(file);
      const key = keyOf(file, component);
      const isRun = parts?.ran.has(key) === true;
      // A component with a mock does not use its parameters, but its transitions.
      if (part !== 'transitions') return isRun && !parts.mocked.has(key);
      const isTaken =
        transition === undefined
          ? isRun
          : parts?.transitions.has(keyOf(file, component, transition.on, transition.to)) === true;
      return isTaken || (parts?.called.has(file) === true && leadsToJoin(file, component));
    },
  };
}
