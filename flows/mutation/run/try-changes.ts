import { type Progress, silentProgress } from '../../../lib/core/ports/ports.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { PlannedTest } from '../../pipeline-tests/files/planned-test.ts';
import { testFailure } from '../../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import {
  atOnceInEach,
  countProcesses,
  jobSettings,
  sharedPython,
} from '../../pipeline-tests/run/count-processes.ts';
import { openTestWarehouse } from '../../pipeline-tests/run/open-test-warehouse.ts';
import { runInProcess, type WorkQueue } from '../../pipeline-tests/run/run-in-process.ts';
import { testSetting } from '../../pipeline-tests/run/run-test.ts';
import { runUntilFailed, type TrialEnd } from '../../pipeline-tests/run/run-until-failed.ts';
import type { TestContext } from '../../pipeline-tests/run/test-context.ts';
import { together } from '../../pipeline-tests/run/together.ts';
import type { Fault } from '../faults/fault.ts';
import { mutantText } from './mutants.ts';
import type { Reach, ReachingTest } from './reach.ts';

/** The first test that fails because of a change, and how it fails. */
export interface Notice {
  /** The test file. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** `result`: an expectation about what the pipeline computes is false. `failure`: the pipeline fails, or takes too long. */
  readonly by: 'result' | 'failure';
}

/** What the tests say about a planted change. */
export type Trial =
  | { readonly verdict: 'noticed'; readonly noticedBy: Notice }
  | { readonly verdict: 'not-noticed' }
  | { readonly verdict: 'refused'; readonly message: string };

/** A planted change, with the tests that reach it. */
export interface DueChange {
  readonly fault: Fault;
  readonly tests: readonly ReachingTest[];
}

export interface TrialRequest {
  readonly project: TestProject;
  readonly jobs: number;
  readonly packages?: string | undefined;
  readonly declared: Reach['declared'];
  /** Gets about twenty reports of how many changes were tried. Default: none. */
  readonly progress?: Progress | undefined;
  /** No change is taken after it returns true. */
  readonly isOver: () => boolean;
}

/**
 * Tries planted changes in order. For each, runs the tests that reach it until one fails. If the engine refuses a
 * test, that test decides nothing; if no other test fails, the change counts as refused. Each job has its own
 * warehouse and takes the next change until none is left; with many changes, the jobs run in several processes.
 * Throws as `runInProcess` does, and Failure 'test-invalid' for a test file that was changed in between.
 */
export async function tryChanges(
  due: readonly DueChange[],
  { project, jobs, packages, declared, progress = silentProgress, isOver }: TrialRequest,
  context: TestContext,
): Promise<ReadonlyMap<Fault, Trial>> {
  const trials = new Map<Fault, Trial>();
  const stepSize = Math.ceil(due.length / 20);
  const note = ({ fault, tests }: DueChange, end: TrialEnd) => {
    trials.set(fault, trialOf(end, tests));
    if (trials.size % stepSize === 0)
      progress.step(`Tried ${trials.size} of ${numberOf(due.length, 'change')}`);
  };
  const waiting = due.values();
  const take = () => (isOver() ? undefined : waiting.next().value);
  const processes = countProcesses(due.length, { jobs, project }, context);
  const python = sharedPython(context.python, processes);
  const setting = { ...testSetting(project, { ...context, python }), declared };
  const atOnce = atOnceInEach(processes, { jobs, tests: due.length });
  const lane = (signal: AbortSignal) => async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (let change = take(); change !== undefined; change = take()) {
      signal.throwIfAborted();
      note(change, await endOf(change, project, { warehouse, setting }));
    }
  };
  const others = jobSettings(processes, { project, python, packages, atOnce });
  await together(context.signal, (signal) => [
    ...Array.from({ length: atOnce }, () => lane(signal)),
    ...others.map(
      (other) => () =>
        runInProcess(changeQueue(take, project), {
          setting: other,
          signal,
          onEnded(change, { trial, problems }) {
            if (trial === undefined) throw testFailure(problems ?? []);
            note(change, trial);
          },
        }),
    ),
  ]);
  return trials;
}

/** Tries one change, as `tryChanges` does. Throws the reason of a cancel. */
export async function tryChange(
  change: DueChange,
  project: TestProject,
  running: Parameters<typeof runUntilFailed>[2],
): Promise<Trial> {
  return trialOf(await endOf(change, project, running), change.tests);
}

async function endOf(
  { fault, tests }: DueChange,
  project: TestProject,
  running: Parameters<typeof runUntilFailed>[2],
): Promise<TrialEnd> {
  const planned = tests.map((test) => test.planned);
  return runUntilFailed(planned, new Map([[fault.file, mutantText(fault, project)]]), running);
}

/** Gives a process one change at a time: the tests of each can take long. */
function changeQueue(take: () => DueChange | undefined, project: TestProject): WorkQueue<DueChange> {
  return {
    takeWork() {
      const change = take();
      if (change === undefined) return undefined;
      const { fault, tests } = change;
      const changed = [[fault.file, mutantText(fault, project)] as const];
      const named = tests.map(({ planned }) => ({ file: planned.file.file, name: planned.test.name }));
      return {
        items: [change],
        orderOf: ([id = 0]) => ({ kind: 'try', trial: { id, changed, tests: named } }),
      };
    },
    describe(changes) {
      const [first] = changes;
      const places = changes.map(({ fault: { file, line, id } }) => `${file}:${line} (${id})`).join(', ');
      return {
        what: `these changes were tried: ${places}`,
        ...(first === undefined ? {} : { where: { file: first.fault.file, line: first.fault.line } }),
      };
    },
  };
}

function trialOf(end: TrialEnd, tests: readonly ReachingTest[]): Trial {
  if (end.verdict === 'passed') return { verdict: 'not-noticed' };
  if (end.verdict === 'refused') return end;
  const planned = tests[end.test]?.planned;
  if (planned === undefined) throw new Error('no test has this index');
  return { verdict: 'noticed', noticedBy: noticeOf(planned, end.by) };
}

function noticeOf({ file, test }: PlannedTest, by: Notice['by']): Notice {
  return { file: file.file, line: test.place.line, name: test.name, by };
}
