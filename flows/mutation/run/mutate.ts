import type { FileProblem } from '../../../engine/index.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { Progress } from '../../../lib/core/ports/ports.ts';
import type { EqualChange } from '../../../lib/config/project/mutation-schema.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { TestContext } from '../../pipeline-tests/run/test-context.ts';
import type { Fault } from '../faults/fault.ts';
import { changeableFiles, faultsOf, inSeededOrder, mutantProject, runnersOf } from './mutants.ts';
import { type Reach, type ReachingTest, type ReachRequest, reachOf } from './reach.ts';
import { type Notice, type Trial, tryChanges } from './try-changes.ts';

export interface MutationRequest extends ReachRequest {
  /** Of the changes of `changed`, only those that it accepts; all if undefined. */
  readonly isChosen?: ((fault: Fault) => boolean) | undefined;
  /** Without `changed`, only changes of files that the tests read: the project has other tests too. */
  readonly isOnlyRead?: boolean | undefined;
  /** Decides which changes are tried with `max` and `budgetMs`. */
  readonly seed: number;
  /** At most so many changes are tried. */
  readonly max?: number | undefined;
  /** No change is tried later, in milliseconds from the start. */
  readonly budgetMs?: number | undefined;
  /** Gets about twenty reports of how many changes were tried. Default: none. */
  readonly progress?: Progress | undefined;
  /** Changes that make no difference, as `millrace.yaml` marks them. */
  readonly equal: readonly EqualChange[];
  /** Gets what says which tests reach a change, for further work on the changes. */
  readonly onReach?: ((testsOf: (fault: Fault) => readonly ReachingTest[]) => void) | undefined;
}

/** A planted change, and what the tests say about it. */
export interface ChangeResult extends Omit<Fault, 'edits' | 'transition' | 'component'> {
  /** In a file with SQL: the first component that runs it, as `pipeline#Component`, if one names it. */
  readonly component: string | undefined;
  /** `not-reached`: no test runs the place. `equal`: marked in `millrace.yaml`, so that it was not tried. */
  readonly verdict: Trial['verdict'] | 'not-reached' | 'equal';
  readonly noticedBy?: Notice | undefined;
  /** Why the engine refused the change, or why it is marked as equal. */
  readonly reason?: string | undefined;
  /** The number of tests that reach it. */
  readonly tests: number;
  /** Of a change that no test notices: whether rows were found that show it. Undefined if nobody asked. */
  readonly rows?: 'found' | 'perhaps-equal' | 'not-searched' | undefined;
}

export interface MutationReport {
  readonly seed: number;
  readonly noticed: number;
  readonly notNoticed: number;
  readonly notReached: number;
  readonly refused: number;
  readonly equal: number;
  /** Changes that tests reach and that were not tried, because of `max` and because of the budget. */
  readonly notTried: { readonly byMax: number; readonly byBudget: number };
  /** Of 100 tried changes that the engine did not refuse, the noticed ones, rounded down; null if there are none. */
  readonly percent: number | null;
  /** The changes in the order of the files, without those that were not tried. */
  readonly changes: readonly ChangeResult[];
  /** The number of tests that pass without a change. Only they can notice one. */
  readonly tests: number;
  /** Tests that do not pass without a change. */
  readonly failed: Reach['failed'];
  /** Marks of `millrace.yaml` that no change of their file has. */
  readonly unusedMarks: readonly EqualChange[];
  readonly problems?: readonly FileProblem[];
}

/**
 * Plants one change at a time into the pipelines and SQL that tests reach, and runs the tests that reach it. The
 * verdicts do not depend on the number of jobs. Throws Failure 'no-test' and 'engine-missing', and the reason of a
 * cancel.
 */
export async function mutate(request: MutationRequest, context: TestContext): Promise<MutationReport> {
  const { project, seed, max, budgetMs, equal } = request;
  const start = context.clock.now();
  const reach = await reachOf(request, context);
  request.onReach?.((fault) => reachingTests(fault, reach));
  const all = faultsIn(request, reach);
  const marks = new Map(equal.map((mark) => [markKey(mark.file, mark.change), mark]));
  const testsOf = new Map(all.map((fault) => [fault, reachingTests(fault, reach)]));
  const reached = all.filter(
    (fault) => !marks.has(markKey(fault.file, fault.id)) && (testsOf.get(fault)?.length ?? 0) > 0,
  );
  const isSample = max !== undefined || budgetMs !== undefined;
  const ordered = isSample ? inSeededOrder(reached, seed) : reached;
  const due = ordered.slice(0, max).map((fault) => ({ fault, tests: testsOf.get(fault) ?? [] }));
  const isOver = () => budgetMs !== undefined && context.clock.now() - start >= budgetMs;
  const trials = await tryChanges(due, { ...request, declared: reach.declared, isOver }, context);
  const reachedSet = new Set(reached);
  const componentOf = componentFinder(project);
  const changes = all.flatMap((fault): readonly ChangeResult[] => {
    const mark = marks.get(markKey(fault.file, fault.id));
    const about = resultOf(fault, componentOf(fault), testsOf.get(fault)?.length ?? 0);
    if (mark !== undefined) return [{ ...about, verdict: 'equal', reason: mark.reason }];
    if (!reachedSet.has(fault)) return [{ ...about, verdict: 'not-reached' }];
    const trial = trials.get(fault);
    if (trial === undefined) return [];
    if (trial.verdict === 'refused') return [{ ...about, verdict: 'refused', reason: trial.message }];
    return [{ ...about, ...trial }];
  });
  const count = (verdict: ChangeResult['verdict']) =>
    changes.filter((change) => change.verdict === verdict).length;
  const [noticed, notNoticed] = [count('noticed'), count('not-noticed')];
  const tried = noticed + notNoticed;
  return {
    seed,
    noticed,
    notNoticed,
    notReached: count('not-reached'),
    refused: count('refused'),
    equal: count('equal'),
    notTried: { byMax: reached.length - due.length, byBudget: due.length - trials.size },
    percent: tried === 0 ? null : Math.floor((noticed * 100) / tried),
    changes,
    tests: reach.tests.length,
    failed: reach.failed,
    unusedMarks: unusedMarks(request),
    ...(reach.problems.length > 0 && { problems: reach.problems }),
  };
}

/** A planted change, with what is needed to run it and to compare it with the unchanged project. */
export interface Mutant {
  readonly fault: Fault;
  /** The project with the change; the component at the change is `fault.component`, in the pipeline `fault.file`. */
  readonly project: TestProject;
  /** The tests that pass without the change and reach it, as they are without it. The tests of its pipeline are first. */
  readonly tests: readonly ReachingTest[];
}

/**
 * Finds the planted change with an id, or the only one whose id begins so; undefined if there is none, or several.
 * The search for rows that show the change starts here. Throws as `mutate` does.
 */
export async function findMutant(
  id: string,
  request: ReachRequest,
  context: TestContext,
): Promise<Mutant | undefined> {
  const { project } = request;
  const found = changeableFiles(project)
    .flatMap((file) => faultsOf(file, project))
    .filter((fault) => fault.id.startsWith(id.toLowerCase()));
  const [fault, ...others] = found;
  if (fault === undefined || others.length > 0) return undefined;
  const reach = await reachOf({ ...request, changed: [fault.file] }, context);
  return { fault, project: mutantProject(fault, project), tests: reachingTests(fault, reach) };
}

/** The tests that reach a change. The tests of its own pipeline are first: they are quicker than the tests of callers. */
function reachingTests(fault: Fault, { tests }: Pick<Reach, 'tests'>): readonly ReachingTest[] {
  const reaching = tests.filter((test) => test.reaches(fault));
  const isOwn = ({ planned }: ReachingTest) => planned.document.path === fault.file;
  return [...reaching.filter(isOwn), ...reaching.filter((test) => !isOwn(test))];
}

function faultsIn(
  { project, changed, isChosen = () => true, isOnlyRead = false }: MutationRequest,
  reach: Reach,
): readonly Fault[] {
  const all = changed ?? changeableFiles(project).filter((file) => !isOnlyRead || reach.files.has(file));
  return [...new Set(all)]
    .toSorted(compareTexts)
    .flatMap((file) => faultsOf(file, project))
    .filter(isChosen);
}

function markKey(file: string, change: string): string {
  return JSON.stringify([file, change]);
}

/** A mark counts as unused if no change of its file has its id, whatever this run plants. */
function unusedMarks({ project, equal }: MutationRequest): readonly EqualChange[] {
  return [...Map.groupBy(equal, ({ file }) => file)]
    .flatMap(([file, marks]) => {
      const ids = new Set(project.has(file) ? faultsOf(file, project).map(({ id }) => id) : []);
      return marks.filter(({ change }) => !ids.has(change));
    })
    .toSorted((a, b) => compareTexts(a.file, b.file) || compareTexts(a.change, b.change));
}

/** The component of a change; in a file with SQL, the first one that runs it. */
function componentFinder(project: TestProject): (fault: Fault) => string | undefined {
  const runners = new Map<string, string | undefined>();
  return ({ file, component }) => {
    if (component !== undefined) return component;
    if (!runners.has(file)) runners.set(file, runnersOf(file, project)[0]);
    return runners.get(file);
  };
}

function resultOf(
  { id, file, part, kind, before, after, line, column, endLine, endColumn }: Fault,
  component: string | undefined,
  tests: number,
): Omit<ChangeResult, 'verdict'> {
  const place = { line, column, endLine, endColumn };
  return { id, file, component, part, kind, before, after, ...place, tests };
}
