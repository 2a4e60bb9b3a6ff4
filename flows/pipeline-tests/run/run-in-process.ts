import { type ChildProcess, fork } from 'node:child_process';
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode } from '../../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { JobAnswer, JobOrder, JobResult, JobSetting } from './job-messages.ts';
import type { TestQueue } from './test-queue.ts';

/** The JavaScript heap of a process, in MB; without the memory of DuckDB. */
const heapMegabytes = 2048;

/** The time that a process has to end its tests and scripts after a cancel, before it is killed. */
const endMs = 5_000;

export interface ProcessRequest {
  readonly setting: JobSetting;
  readonly signal: AbortSignal;
  /** Called for each test that ended. */
  readonly onEnded: (test: PlannedTest, ended: JobResult) => void;
  /** The file that a process starts. Default: the entry of this version, beside this module. */
  readonly entry?: string | undefined;
}

/**
 * Runs tests of a queue in a process of its own, until none is left (decision 036). Throws Failure 'job-failed' if the process ends
 * before its tests, what the process threw, and the reason of a cancel. No process outlives the call.
 */
export async function runInProcess(
  queue: TestQueue,
  { setting, signal, onEnded, entry = entryFile() }: ProcessRequest,
): Promise<void> {
  signal.throwIfAborted();
  const cache = nodeModule.getCompileCacheDir();
  const child = fork(entry, cache === undefined ? [] : [path.dirname(cache)], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    // Its results come as messages; what Node writes before it gives up is for the user.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = exitOf(child);
  try {
    await talkTo(child, { queue, setting, signal, onEnded, exited });
  } finally {
    await end(child, exited);
  }
}

/** The same file as TypeScript, as compiled JavaScript and beside the bundle of the actions. */
function entryFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './job-process.ts' : './job-process.js';
  return fileURLToPath(new URL(name, import.meta.url));
}

/** How a process ended: resolves to a code, a signal or the reason that it did not start. */
function exitOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  child.on('error', ({ message }) => child.pid === undefined && resolve(message));
  return promise;
}

interface Talk extends Pick<ProcessRequest, 'setting' | 'signal' | 'onEnded'> {
  readonly queue: TestQueue;
  readonly exited: Promise<string>;
}

/** Sends tests to a process and receives their results, until no test is left. */
async function talkTo(child: ChildProcess, { queue, setting, signal, onEnded, exited }: Talk): Promise<void> {
  const running = new Map<number, PlannedTest>();
  const done = Promise.withResolvers<void>();
  let [lastId, isEmpty] = [0, false];
  const sendUnit = () => {
    const tests = queue.takeUnit().map((planned) => ({ id: (lastId += 1), planned }));
    const [first] = tests;
    if (first === undefined) {
      isEmpty = true;
      if (running.size === 0) done.resolve();
      return;
    }
    for (const { id, planned } of tests) running.set(id, planned);
    const unit = {
      file: first.planned.file.file,
      tests: tests.map(({ id, planned }) => ({ id, name: planned.test.name })),
    };
    send(child, { kind: 'run', unit });
  };
  child.on('message', (message) => {
    const answer = message as JobAnswer;
    if (answer.kind === 'ready') sendUnit();
    else if (answer.kind === 'failed') done.reject(failureOf(answer));
    else {
      const planned = running.get(answer.ended.id);
      running.delete(answer.ended.id);
      if (planned !== undefined) onEnded(planned, answer.ended);
      if (isEmpty && running.size === 0) done.resolve();
    }
  });
  const onAbort = () => done.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  void exited.then((how) => done.reject(endedEarly(how, [...running.values()])));
  send(child, { kind: 'open', setting });
  sendUnit();
  try {
    await done.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A process that has ended is noticed by its exit. */
function send(child: ChildProcess, order: JobOrder): void {
  if (child.connected) child.send(order, () => {});
}

/** Ends a process: without its channel, it ends what runs, and itself. */
async function end(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), endMs);
  await exited;
  clearTimeout(timer);
}

/** What a process threw. */
function failureOf({ code, message, stack }: Extract<JobAnswer, { readonly kind: 'failed' }>): Error {
  if (code !== undefined) return new Failure(code as ErrorCode, { message });
  const error = new Error(message);
  error.stack = stack;
  return error;
}

function endedEarly(how: string, running: readonly PlannedTest[]): Failure {
  const [first] = running;
  const names = running.map(({ test }) => `"${test.name}"`).join(', ');
  const tests = first === undefined ? '' : `, before these tests of ${first.file.file} ended: ${names}`;
  return new Failure('job-failed', {
    message: `A process that runs tests ended with ${how}${tests}.`,
    ...(first === undefined ? {} : { where: { file: first.file.file, line: first.test.place.line } }),
  });
}
