import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, openSync, readSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Vitest loads this file before each test file. It lets a small helper process start the processes that tests and the code
// under test ask for. To start a process, the system copies the page tables of the one that asks: 25 ms of CPU at 350 MB,
// the size of a process that has run tests of the worker, and 1 ms in the helper.
//
// Only what Node asks of the system goes through the helper; all of `node:child_process` above stays Node's own. A stream
// is a socket from this process to the child, as it always is. A child with a channel for messages, with a stream of
// this process, or with more than the three standard streams is started directly.

/** What Node gives to `ChildProcess.prototype.spawn`, where it replaces `stdio` by one entry for each stream. */
interface StartOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string | null;
  readonly envPairs?: readonly string[];
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  readonly stdio?: unknown;
}

interface StreamOptions {
  readonly type: string;
  readonly ipc?: unknown;
  readonly handle?: { connect(request: object, path: string): number };
}

/** Node's handle of a process. */
interface ProcessHandle {
  pid: number;
  spawn(...given: readonly unknown[]): number;
  kill(signal: number): number;
  onexit(code: number, signal: string): void;
}

interface RunOptions extends StartOptions {
  readonly stdio: readonly { readonly type: string; readonly input?: NodeJS.ArrayBufferView | string }[];
  readonly timeout?: number;
  readonly maxBuffer?: number;
  readonly killSignal?: number;
}

/** Node's own parts, below `node:child_process`. */
interface Bindings {
  readonly pipe_wrap: { readonly PipeConnectWrap: new () => { oncomplete?: () => void } };
  readonly spawn_sync: { spawn(options: RunOptions): unknown };
}

interface Helper {
  /** The address to which the streams of a child connect, before the request. */
  readonly streams: string;
  /** Sends a request, and waits for its answer. */
  ask(request: object): Record<string, unknown>;
  /** Calls a function when a child ends. This process does not end before. */
  onEnd(pid: number, end: (code: number, signal: string) => void): void;
}

type Binding = <K extends keyof Bindings>(name: K) => Bindings[K];

/** This many are started directly: a process that starts few needs no helper, whose own start takes 40 ms of CPU. */
const startedDirectly = 4;

/**
 * Only these wait for data when a child reads them, as programs expect: the others would stay as the helper has them. A
 * browser, which gets its commands on the fourth, would take them for closed.
 */
const standardStreams = 3;

/** Set once in each process: test files can share one. */
const isSetUp = Symbol.for('millrace.startThroughHelper');
const here = globalThis as { [isSetUp]?: true };
const { binding } = process as unknown as { binding?: Binding };
if (here[isSetUp] !== true && isMainThread && process.platform !== 'win32' && binding !== undefined) {
  here[isSetUp] = true;
  replaceStarts(binding);
}

function replaceStarts(node: Binding): void {
  let helper: Helper | undefined;
  let count = 0;
  /** Undefined where a process is to be started directly, as the helper itself. */
  function getHelper(): Helper | undefined {
    count += 1;
    if (count <= startedDirectly) return undefined;
    if (helper === undefined) {
      count = Number.NEGATIVE_INFINITY;
      helper = openHelper();
      count = startedDirectly;
    }
    return helper;
  }

  const { PipeConnectWrap } = node('pipe_wrap');
  const starts = ChildProcess.prototype as unknown as { spawn(options: StartOptions): unknown };
  const start = starts.spawn;
  starts.spawn = function startThroughHelper(this: { readonly _handle: ProcessHandle }, options) {
    const { _handle: handle } = this;
    const directly = handle.spawn.bind(handle);
    handle.spawn = (...given) => {
      const streams = options.stdio as readonly StreamOptions[];
      const isPlain =
        streams.length <= standardStreams &&
        streams.every(({ type, ipc }) => ipc === undefined && kindOf(type) !== undefined);
      const through = isPlain ? getHelper() : undefined;
      if (through === undefined) return directly(...given);
      for (const { handle: stream } of streams)
        stream?.connect(Object.assign(new PipeConnectWrap(), { oncomplete() {} }), through.streams);
      const stdio = streams.map(({ type }) => kindOf(type));
      const { pid, error } = through.ask({ kind: 'start', ...plain(options), stdio });
      if (typeof pid !== 'number') return Number(error);
      handle.pid = pid;
      handle.kill = (signal) => send(pid, signal);
      through.onEnd(pid, (code, signal) => handle.onexit(code, signal));
      return 0;
    };
    return start.call(this, options);
  };

  const runs = node('spawn_sync');
  const run = runs.spawn.bind(runs);
  runs.spawn = (options) => {
    const isPlain = options.stdio.every(({ type }) => kindOf(type) !== undefined);
    const through = isPlain ? getHelper() : undefined;
    if (through === undefined) return run(options);
    const { timeout, maxBuffer, killSignal } = options;
    const input = options.stdio[0]?.input;
    const { output, ...ended } = through.ask({
      kind: 'run',
      ...plain(options),
      stdio: options.stdio.map(({ type }) => kindOf(type)),
      timeout,
      killSignal,
      // Without a limit where none is given; JSON has no infinity.
      maxBuffer: maxBuffer === Infinity ? undefined : maxBuffer,
      input: input === undefined ? undefined : bytesOf(input).toString('base64'),
    });
    const texts = (output as (string | null)[] | undefined) ?? null;
    return {
      ...ended,
      output: texts?.map((text) => (text === null ? null : Buffer.from(text, 'base64'))) ?? null,
    };
  };
}

/** What the helper makes of a stream; undefined for those that only this process can give to a child. */
function kindOf(type: string): 'ignore' | 'pipe' | undefined {
  if (type === 'ignore') return 'ignore';
  return type === 'pipe' || type === 'overlapped' ? 'pipe' : undefined;
}

function bytesOf(input: NodeJS.ArrayBufferView | string): Buffer {
  return typeof input === 'string'
    ? Buffer.from(input)
    : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
}

/** The options of every request. */
function plain({ file, args, cwd, envPairs, detached, uid, gid }: StartOptions): object {
  return { file, args, cwd: path.resolve(cwd ?? ''), envPairs, detached, uid, gid };
}

/** 0, or the number of the error, as Node's own handle answers. */
function send(pid: number, signal: number): number {
  try {
    process.kill(pid, signal);
    return 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).errno ?? -1;
  }
}

function openHelper(): Helper {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-helper-'));
  const [requests, answers] = [path.join(folder, 'requests'), path.join(folder, 'answers')];
  execFileSync('mkfifo', [requests, answers]);
  const file = fileURLToPath(new URL('helper.mjs', import.meta.url));
  const child = spawn(process.execPath, [file, folder], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
  // They have the types of any stream.
  const life = child.stdin as Socket;
  const reports = child.stdout as Socket;
  const ends = new Map<number, (code: number, signal: string) => void>();
  createInterface({ input: reports }).on('line', (line) => {
    const { pid, code, signal } = JSON.parse(line) as {
      pid: number;
      code: number | null;
      signal: string | null;
    };
    const end = ends.get(pid);
    ends.delete(pid);
    if (ends.size === 0) reports.unref();
    end?.(code ?? 0, signal ?? '');
  });
  // Each of these waits until the helper opens the other side.
  const answered = openSync(answers, constants.O_RDONLY);
  const asked = openSync(requests, constants.O_WRONLY);
  for (const one of [child, life, reports]) one.unref();
  const chunk = Buffer.alloc(65_536);
  return {
    streams: path.join(folder, 'streams'),
    ask(request) {
      let bytes = Buffer.from(`${JSON.stringify(request)}\n`);
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(asked, bytes));
      const parts: Buffer[] = [];
      do {
        const length = readSync(answered, chunk);
        if (length === 0) throw new Error('The helper that starts processes for tests has ended.');
        parts.push(Buffer.from(chunk.subarray(0, length)));
      } while (parts.at(-1)?.at(-1) !== lineFeed);
      return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    },
    onEnd(pid, end) {
      ends.set(pid, end);
      reports.ref();
    },
  };
}

const lineFeed = 10;
