import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { findInterpreter, type Interpreter } from './find-interpreter.ts';
import { defaultLimits, type ScriptLimits } from './limits.ts';
import type { Python } from './python.ts';
import { runLauncher } from './run-launcher.ts';
import { Slots } from './slots.ts';

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
