import { type FileProblem, FileProblems, problemAt, type Warehouse } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { reopenProject } from '../files/reopen-project.ts';
import { type Reads, traceReads } from '../files/trace-reads.ts';
import { reachedBy, type Reached } from './coverage.ts';
import { encodeResult } from './encode-result.ts';
import type { JobAnswer, JobOrder, JobResult, JobSetting, JobTrial, TestName } from './job-messages.ts';
import { planFile } from './plan-file.ts';
import { openTestWarehouse } from './open-test-warehouse.ts';
import { runTest, testSetting, type TestSetting } from './run-test.ts';
import { runUntilFailed } from './run-until-failed.ts';
import { type TracedSetting, tracedSetting } from './traced-setting.ts';

/** The running side of a process that runs tests for another process. */
export interface Job {
  order(order: JobOrder): void;
  /** Resolves when the process has nothing left to do. Never rejects: an error is an answer to the other process. */
  readonly ended: Promise<void>;
}

/** A test, or a trial. */
type WaitingTask = (TestName & { readonly id: number }) | JobTrial;

/** Runs the tests that another process orders, in its own warehouses, and answers each result. */
export function openJob(answer: (answer: JobAnswer) => void): Job {
  const cancel = new AbortController();
  const opened = Promise.withResolvers<JobSetting | undefined>();
  const waiting = new WaitingTasks(() => answer({ kind: 'ready' }));
  cancel.signal.addEventListener('abort', () => {
    opened.resolve(undefined);
    waiting.end();
  });
  const work = async () => {
    const setting = await opened.promise;
    if (setting !== undefined) await runWaiting(setting, waiting, { answer, signal: cancel.signal });
  };
  return {
    order(order) {
      if (order.kind === 'open') opened.resolve(order.setting);
      else if (order.kind === 'run')
        waiting.add(order.unit.tests.map(({ id, name }) => ({ id, name, file: order.unit.file })));
      else if (order.kind === 'try') waiting.add([order.trial]);
      else if (order.kind === 'end') waiting.end();
      else cancel.abort();
    },
    ended: work().catch((error: unknown) => {
      if (!cancel.signal.aborted) answer(failedAnswer(error));
    }),
  };
}

function failedAnswer(error: unknown): JobAnswer {
  return {
    kind: 'failed',
    code: error instanceof Failure ? error.code : undefined,
    message: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? '') : '',
  };
}

/** What waits for its turn. */
class WaitingTasks {
  readonly #tasks: WaitingTask[] = [];
  readonly #takers: ((test: WaitingTask | undefined) => void)[] = [];
  readonly #onEmpty: () => void;
  #isEnded = false;

  /** @param onEmpty called when the last task is taken, so that others arrive before it ends */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  add(tasks: readonly WaitingTask[]): void {
    this.#tasks.push(...tasks);
    for (let taker = this.#takers[0]; taker !== undefined && this.#tasks.length > 0; [taker] = this.#takers) {
      this.#takers.shift();
      taker(this.#shift());
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  /** Undefined after the end. */
  async take(): Promise<WaitingTask | undefined> {
    if (this.#tasks.length > 0) return this.#shift();
    if (this.#isEnded) return undefined;
    const { promise, resolve } = Promise.withResolvers<WaitingTask | undefined>();
    this.#takers.push(resolve);
    return promise;
  }

  #shift(): WaitingTask | undefined {
    const task = this.#tasks.shift();
    if (this.#tasks.length === 0) this.#onEmpty();
    return task;
  }
}

async function runWaiting(
  { project: recipe, python, packages, atOnce, withCoverage, withTraces }: JobSetting,
  waiting: WaitingTasks,
  { answer, signal }: { readonly answer: (answer: JobAnswer) => void; readonly signal: AbortSignal },
): Promise<void> {
  const project = reopenProject(recipe);
  const setting = testSetting(project, { clock: systemClock, signal, python });
  const planOf = planner(setting, packages);
  const endOfTask = (task: WaitingTask, warehouse: Warehouse) =>
    'tests' in task
      ? endOfTrial(task, { planOf, warehouse, setting })
      : endOfTest(task, { planOf, warehouse, setting, withCoverage, withTraces });
  const lane = async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (let next = await waiting.take(); next !== undefined; next = await waiting.take()) {
      signal.throwIfAborted();
      answer({ kind: 'ended', ended: { id: next.id, ...(await endOfTask(next, warehouse)) } });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

interface TaskSetting {
  readonly planOf: (test: TestName) => Promise<PlannedWithReads>;
  readonly warehouse: Warehouse;
  /** Of the project without changes. */
  readonly setting: TestSetting;
}

async function endOfTest(
  test: TestName,
  {
    planOf,
    warehouse,
    setting,
    withCoverage,
    withTraces,
  }: TaskSetting & Pick<JobSetting, 'withCoverage' | 'withTraces'>,
): Promise<Omit<JobResult, 'id'>> {
  let reached: Reached | undefined;
  let traced: TracedSetting | undefined;
  const ended = await orProblems(async () => {
    const { planned, reads } = await planOf(test);
    traced = withTraces ? tracedSetting(setting, reads) : undefined;
    const result = await runTest(planned, warehouse, traced?.setting ?? setting, (run) => {
      if (withCoverage) reached = reachedBy(run);
      traced?.see(run);
    });
    return { result: encodeResult(result) };
  });
  const trace = traced?.trace();
  return {
    ...ended,
    ...(reached === undefined ? {} : { reached }),
    ...(setting.project.roots.taken() === undefined ? {} : { usesCallRoot: true as const }),
    ...(trace === undefined ? {} : { trace }),
  };
}

function endOfTrial(
  { tests, changed }: JobTrial,
  { planOf, warehouse, setting }: TaskSetting,
): Promise<Omit<JobResult, 'id'>> {
  return orProblems(async () => {
    const plans: PlannedTest[] = [];
    for (const test of tests) plans.push((await planOf(test)).planned);
    return { trial: await runUntilFailed(plans, new Map(changed), { warehouse, setting }) };
  });
}

/** What ended, or what is wrong in files. */
async function orProblems<Ended>(
  run: () => Promise<Ended>,
): Promise<Ended | { readonly problems: readonly FileProblem[] }> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FileProblems) return { problems: error.problems };
    throw error;
  }
}

/** A test with what the tests of its file read together. */
interface PlannedWithReads {
  readonly planned: PlannedTest;
  readonly reads: Reads;
}

/** Plans the tests of each file once. The planner throws FileProblems, also for a file that no longer has a test. */
function planner({ project, declared }: TestSetting, packages: string | undefined) {
  const plans = new Map<string, Promise<ReadonlyMap<string, PlannedWithReads>>>();
  const plan = async (file: string) => {
    const { project: traced, reads } = traceReads(project, declared);
    const planned = await planFile(file, traced, { packages });
    return new Map(planned.map((test) => [test.test.name, { planned: test, reads }]));
  };
  return async ({ file, name }: TestName): Promise<PlannedWithReads> => {
    const planning = plans.get(file) ?? plan(file);
    plans.set(file, planning);
    const planned = (await planning).get(name);
    if (planned !== undefined) return planned;
    const message = `the file was changed while its tests ran, and no longer has the test "${name}": run the tests again`;
    throw problemAt({ file, line: 1, column: 1 }, message);
  };
}
