import { type ChildProcess, fork } from 'node:child_process';
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode } from '../../../lib/core/errors/error-catalogue.ts';
import { Failure, type Place } from '../../../lib/core/errors/failure.ts';
import type { JobAnswer, JobOrder, JobResult, JobSetting } from './job-messages.ts';

/** The JavaScript heap of a process, in MB; without the memory of DuckDB. */
const heapMegabytes = 2048;

/** The time that a process has to end its tests and scripts after a cancel, before it is killed. */
const endMs = 5_000;

/** The work that a process gets at one time. */
export interface Work<Item> {
  /** Each has a result of its own. */
  readonly items: readonly Item[];
  /** @param ids the ids of the items, in their order */
  orderOf(ids: readonly number[]): JobOrder;
}

/** The work that waits for a process. */
export interface WorkQueue<Item> {
  /** The next work; undefined if none is left. */
  takeWork(): Work<Item> | undefined;
  /** What did not happen if a process ends before these items: the end of a sentence, and a place. */
  describe(items: readonly Item[]): { readonly what: string; readonly where?: Place };
}

export interface ProcessRequest<Item> {
  readonly setting: JobSetting;
  readonly signal: AbortSignal;
  /** Called for each item that ended. What it throws ends the process. */
  readonly onEnded: (item: Item, ended: JobResult) => void;
  /** The file that a process starts. Default: the entry of this version, beside this module. */
  readonly entry?: string | undefined;
}

/**
 * Does the work of a queue in a separate process, until the queue is empty (decision 036). Throws Failure
 * 'job-failed' if the process ends too early, errors of the process and of `onEnded`, and the reason of a cancel.
 * The process has always ended when the call returns.
 */
export async function runInProcess<Item>(
  queue: WorkQueue<Item>,
  { setting, signal, onEnded, entry = entryFile() }: ProcessRequest<Item>,
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

interface Talk<Item> extends Pick<ProcessRequest<Item>, 'setting' | 'signal' | 'onEnded'> {
  readonly queue: WorkQueue<Item>;
  readonly exited: Promise<string>;
}

/** Sends work to a process and receives its results, until none is left. */
async function talkTo<Item>(
  child: ChildProcess,
  { queue, setting, signal, onEnded, exited }: Talk<Item>,
): Promise<void> {
  const running = new Map<number, Item>();
  const done = Promise.withResolvers<void>();
  let [lastId, isEmpty] = [0, false];
  const sendWork = () => {
    const work = queue.takeWork();
    if (work === undefined) {
      isEmpty = true;
      if (running.size === 0) done.resolve();
      return;
    }
    const numbered = work.items.map((item) => [(lastId += 1), item] as const);
    for (const [id, item] of numbered) running.set(id, item);
    send(child, work.orderOf(numbered.map(([id]) => id)));
  };
  const receive = (answer: JobAnswer) => {
    if (answer.kind === 'ready') sendWork();
    else if (answer.kind === 'failed') done.reject(failureOf(answer));
    else {
      const item = running.get(answer.ended.id);
      running.delete(answer.ended.id);
      if (item !== undefined) onEnded(item, answer.ended);
      if (isEmpty && running.size === 0) done.resolve();
    }
  };
  child.on('message', (message) => {
    try {
      receive(message as JobAnswer);
    } catch (error) {
      done.reject(error);
    }
  });
  const onAbort = () => done.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  void exited.then((how) => done.reject(endedEarly(how, [...running.values()], queue)));
  send(child, { kind: 'open', setting });
  sendWork();
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

function endedEarly<Item>(how: string, running: readonly Item[], queue: WorkQueue<Item>): Failure {
  const { what, where } = queue.describe(running);
  const before = running.length === 0 ? '' : `, before ${what}`;
  return new Failure('job-failed', {
    message: `A process that runs tests ended with ${how}${before}.`,
    ...(running.length > 0 && where !== undefined ? { where } : {}),
  });
}
