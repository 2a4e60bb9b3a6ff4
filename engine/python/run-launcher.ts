import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { Interpreter } from './find-interpreter.ts';
import type { ScriptLimits } from './limits.ts';
import {
  PythonUnavailable,
  type ScriptEnd,
  type ScriptJob,
  type ScriptOutput,
  type ScriptRun,
} from './python.ts';
import { readAnswer, readProcess, readReport } from './read-answer.ts';

const launcher = join(import.meta.dirname, 'launcher.py');

/** Only what Python itself reads when it starts: text is UTF-8, and sets have the same order in each run. */
const environment = { PYTHONHASHSEED: '0', PYTHONUTF8: '1' };

interface LaunchOptions {
  readonly interpreter: Interpreter;
  /** The working folder: empty. */
  readonly folder: string;
  /** The clock of the machine: a script takes real time. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: ScriptLimits;
}

/** Runs one script in a process of its own. At the end, stops that process and all processes that it started. */
export async function runLauncher(job: ScriptJob, options: LaunchOptions): Promise<ScriptRun> {
  const { interpreter, folder, clock, signal, limits } = options;
  const child = spawn(interpreter.executable, ['-s', '-B', launcher], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  const closed = once(child, 'close').catch((error: unknown) => {
    throw new PythonUnavailable(`${interpreter.executable} could not be started`, { cause: error });
  });
  let ending: ScriptEnd | undefined;
  const stop = (reason: ScriptEnd): void => {
    ending ??= reason;
    endLauncher(child, limits.endMs, () => readProcess(report()));
  };
  const output = readStart(outputOf(child, 1), limits.outputLength);
  const errors = readStart(outputOf(child, 2), limits.outputLength);
  const answer = readWhole(outputOf(child, 3), limits.resultBytes, () =>
    stop({ kind: 'limit', what: 'result' }),
  );
  const report = readWhole(outputOf(child, 4), limits.reportBytes, () => stop({ kind: 'stopped' }));
  const abort = () => stop({ kind: 'stopped' });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const done = new AbortController();
  const timer = clock.sleep(job.timeoutMs, done.signal).then(
    () => stop({ kind: 'limit', what: 'time' }),
    () => undefined,
  );
  sendJob(child, job, limits);
  try {
    await closed;
  } finally {
    signal.removeEventListener('abort', abort);
    done.abort();
    await timer;
  }
  const read = readReport(report());
  return {
    end: ending ?? readAnswer(answer(), read),
    output: output(),
    errors: errors(),
    version: interpreter.version,
    hasNoNetwork: read?.hasNoNetwork ?? false,
    hasOwnFiles: read?.hasOwnFiles ?? false,
  };
}

function sendJob(
  { stdin }: ChildProcess,
  { text, variables, hasSession }: ScriptJob,
  { maxMemoryBytes, maxMegabytes, maxProcesses }: ScriptLimits,
): void {
  const job = { text, variables, hasSession, maxMemoryBytes, maxMegabytes, maxProcesses };
  // A launcher that ended early shows in its report.
  stdin?.on('error', () => undefined);
  // The stream stays open: its end stops the launcher, even if this process is killed.
  stdin?.write(`${JSON.stringify(job)}\n`);
}

/** The launcher ends all processes of the script, wherever they are; if it does not, both groups are killed. */
function endLauncher(child: ChildProcess, endMs: number, script: () => number | undefined): void {
  child.stdin?.destroy();
  const kill = setTimeout(() => {
    // The launcher waits for the script's process: as long as it runs, the number belongs to that process.
    const isRunning = child.exitCode === null && child.signalCode === null;
    for (const group of isRunning ? [script(), child.pid] : []) if (group !== undefined) killGroup(group);
    // A process that left the group may keep the pipes open.
    for (const stream of child.stdio) stream?.destroy();
  }, endMs);
  child.once('close', () => clearTimeout(kill));
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

function outputOf(child: ChildProcess, index: number): Readable {
  const stream = child.stdio[index];
  if (!(stream instanceof Readable)) throw new Error('a process without its pipes');
  return stream;
}

/** Reads all of a stream and keeps its beginning: what a script writes is not limited, memory is. */
function readStart(stream: Readable, maxLength: number): () => ScriptOutput {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let omitted = 0;
  const add = (more: string): void => {
    const kept = more.slice(0, maxLength - text.length);
    text += kept;
    omitted += more.length - kept.length;
  };
  stream.on('data', (chunk: Buffer) => add(decoder.write(chunk)));
  stream.on('end', () => add(decoder.end()));
  return () => ({ text, omitted });
}

/** Reads a whole stream; calls `tooLong` once if it has more bytes than the limit, and keeps nothing from then on. */
function readWhole(stream: Readable, maxBytes: number, tooLong: () => void): () => string {
  let chunks: Buffer[] = [];
  let left = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    left -= chunk.length;
    chunks.push(chunk);
    if (left >= 0) return;
    chunks = [];
    tooLong();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
