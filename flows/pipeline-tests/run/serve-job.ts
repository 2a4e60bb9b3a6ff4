import { FileProblems, problemAt } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import { reopenProject } from '../files/reopen-project.ts';
import { type Reads, traceReads } from '../files/trace-reads.ts';
import { reachedBy, type Reached } from './coverage.ts';
import { encodeResult } from './encode-result.ts';
import type { JobAnswer, JobOrder, JobResult, JobSetting } from './job-messages.ts';
import { planFile } from './plan-file.ts';
import { openTestWarehouse } from './open-test-warehouse.ts';
import { runTest, testSetting, type TestSetting } from './run-test.ts';
import { type TracedSetting, tracedSetting } from './traced-setting.ts';

/** A process that runs tests, from within. */
export interface Job {
  order(order: JobOrder): void;
  /** Resolves when the process has nothing left to do. Never rejects: an error is an answer to the other process. */
  readonly ended: Promise<void>;
}

interface WaitingTest {
  readonly id: number;
  readonly file: string;
  readonly name: string;
}

/** Runs the tests that another process orders, with warehouses of its own, and answers each result. */
export function openJob(answer: (answer: JobAnswer) => void): Job {
  const cancel = new AbortController();
  const opened = Promise.withResolvers<JobSetting | undefined>();
  const waiting = new WaitingTests(() => answer({ kind: 'ready' }));
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

/** The tests that wait for their turn. */
class WaitingTests {
  readonly #tests: WaitingTest[] = [];
  readonly #takers: ((test: WaitingTest | undefined) => void)[] = [];
  readonly #onEmpty: () => void;
  #isEnded = false;

  /** @param onEmpty called when the last test is taken, so that others arrive before it ends */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  add(tests: readonly WaitingTest[]): void {
    this.#tests.push(...tests);
    for (let taker = this.#takers[0]; taker !== undefined && this.#tests.length > 0; [taker] = this.#takers) {
      this.#takers.shift();
      taker(this.#shift());
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  /** Undefined after the end. */
  async take(): Promise<WaitingTest | undefined> {
    if (this.#tests.length > 0) return this.#shift();
    if (this.#isEnded) return undefined;
    const { promise, resolve } = Promise.withResolvers<WaitingTest | undefined>();
    this.#takers.push(resolve);
    return promise;
  }

  #shift(): WaitingTest | undefined {
    const test = this.#tests.shift();
    if (this.#tests.length === 0) this.#onEmpty();
    return test;
  }
}

async function runWaiting(
  { project: recipe, python, packages, atOnce, withCoverage, withTraces }: JobSetting,
  waiting: WaitingTests,
  { answer, signal }: { readonly answer: (answer: JobAnswer) => void; readonly signal: AbortSignal },
): Promise<void> {
  const project = reopenProject(recipe);
  const setting = testSetting(project, { clock: systemClock, signal, python });
  const planOf = planner(setting, packages);
  const lane = async () => {
    await using warehouse = await openTestWarehouse(project, packages);
    for (let next = await waiting.take(); next !== undefined; next = await waiting.take()) {
      signal.throwIfAborted();
      const { id } = next;
      let reached: Reached | undefined;
      let traced: TracedSetting | undefined;
      const ended = await endOf(async () => {
        const { planned, reads } = await planOf(next);
        traced = withTraces ? tracedSetting(setting, reads) : undefined;
        return runTest(planned, warehouse, traced?.setting ?? setting, (run) => {
          if (withCoverage) reached = reachedBy(run);
          traced?.see(run);
        });
      });
      const trace = traced?.trace();
      answer({
        kind: 'ended',
        ended: {
          id,
          ...ended,
          ...(reached === undefined ? {} : { reached }),
          ...(project.roots.taken() === undefined ? {} : { usesCallRoot: true as const }),
          ...(trace === undefined ? {} : { trace }),
        },
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function endOf(
  run: () => Promise<Parameters<typeof encodeResult>[0]>,
): Promise<Pick<JobResult, 'result' | 'problems'>> {
  try {
    return { result: encodeResult(await run()) };
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
  return async ({ file, name }: WaitingTest): Promise<PlannedWithReads> => {
    const planning = plans.get(file) ?? plan(file);
    plans.set(file, planning);
    const planned = (await planning).get(name);
    if (planned !== undefined) return planned;
    const message = `the file was changed while its tests ran, and no longer has the test "${name}": run the tests again`;
    throw problemAt({ file, line: 1, column: 1 }, message);
  };
}
