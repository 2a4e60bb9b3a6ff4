import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { findInterpreter, type Interpreter } from './find-interpreter.ts';
import { defaultLimits, type ScriptLimits } from './limits.ts';
import type { Python } from './python.ts';
import { runLauncher } from './run-launcher.ts';

export interface PythonOptions {
  /** The Python program. Default: `python3`. */
  readonly program?: string | undefined;
  /** The environment variables with which the program is searched for. Scripts do not see them. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The clock for time limits. By default, the clock of the machine. */
  readonly clock?: Clock;
  readonly limits?: Partial<ScriptLimits>;
}

/** Creates a runner for Python scripts. It searches for the interpreter when the first script runs. */
export function openPython(options: PythonOptions): Python {
  const { program = 'python3', environment, clock = systemClock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  let search: Promise<Interpreter> | undefined;
  const slots = new Slots(limits.scripts);
  return {
    run: (job, signal) =>
      slots.run(signal, async () => {
        search ??= findInterpreter(program, environment);
        const interpreter = await search;
        const folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-python-')));
        try {
          return await runLauncher(job, { interpreter, folder, clock, signal, limits });
        } finally {
          // A script may have made files that cannot be removed. They stay, and the result of the script counts.
          await rm(folder, { recursive: true, force: true }).catch(() => undefined);
        }
      }),
  };
}

/** Limits how many pieces of work run at the same time. Others wait in the order in which they were requested. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` when there is a free slot. Undefined if the signal aborts before that. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#acquire(signal))) return undefined;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #acquire(signal: AbortSignal): Promise<boolean> | boolean {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => resolve(true);
    const leave = () => {
      const at = this.#waiting.indexOf(begin);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(false);
    };
    this.#waiting.push(begin);
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}
