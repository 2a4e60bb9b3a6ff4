import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { runInSharedProcess } from './shared-process.ts';

/** How the runner ends a process on cancellation, in milliseconds. */
export interface CancelTimes {
  readonly interrupt: number;
  readonly terminate: number;
}

export const runnerCancelTimes: CancelTimes = { interrupt: 7500, terminate: 2500 };

export interface StepProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly cancelTimes: CancelTimes;
  /** The first argument is a script that the process of earlier steps may run. */
  readonly isShared?: boolean;
  onLine(line: string): void;
}

/**
 * Starts one process and hands on the lines of both its streams. On cancellation the started process alone is
 * signalled: SIGINT, then SIGTERM, then SIGKILL. Gives the exit code (128 + n after signal n).
 */
export async function runStepProcess(step: StepProcess): Promise<number> {
  const [script] = step.args;
  if (step.isShared === true && script !== undefined)
    return await runInSharedProcess({ ...step, script, onLine: (line) => step.onLine(line) });
  const child = spawn(step.command, step.args, {
    cwd: step.cwd,
    env: step.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const readers = [child.stdout, child.stderr].map((input) => {
    const reader = createInterface({ input, crlfDelay: Infinity });
    reader.on('line', (line) => step.onLine(line));
    return new Promise((resolve) => reader.once('close', resolve));
  });
  const timers: NodeJS.Timeout[] = [];
  const cancel = (): void => {
    const { interrupt, terminate } = step.cancelTimes;
    child.kill('SIGINT');
    timers.push(setTimeout(() => child.kill('SIGTERM'), interrupt));
    timers.push(setTimeout(() => child.kill('SIGKILL'), interrupt + terminate));
  };
  if (step.signal.aborted) cancel();
  else step.signal.addEventListener('abort', cancel, { once: true });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exit, signal) => {
        const numbers: Record<string, number> = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 };
        resolve(exit ?? numbers[signal ?? ''] ?? 1);
      });
    });
    await Promise.all(readers);
    return code;
  } finally {
    step.signal.removeEventListener('abort', cancel);
    for (const timer of timers) clearTimeout(timer);
  }
}
