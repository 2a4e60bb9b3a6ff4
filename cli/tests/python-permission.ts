import type { Command } from 'commander';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Io } from '../terminal/io.ts';

export interface PythonFlags {
  readonly allowPython?: boolean;
  readonly python?: string;
}

/** The Python interpreter with which Python components of pipelines may run. */
export interface PythonPermission {
  readonly program: string;
  /** For finding the program. */
  readonly environment: Io['env'];
}

/**
 * Adds the options that allow Python components to run. Only options can allow it, so that the person who starts
 * the command decides.
 */
export function addPythonOptions(command: Command): Command {
  return command
    .option(
      '--allow-python',
      'run Python components on this machine, each in a confined process (default: they need a mock)',
    )
    .option('--python <program>', 'with --allow-python: the interpreter (default: python3)');
}

/**
 * The permission of `--allow-python`; undefined without the option. Throws Failure 'usage' if `--python` names an
 * interpreter without it.
 */
export function pythonPermission(
  { allowPython = false, python }: PythonFlags,
  { env }: Pick<Io, 'env'>,
): PythonPermission | undefined {
  if (allowPython) return { program: python ?? 'python3', environment: env };
  if (python === undefined) return undefined;
  throw new Failure('usage', {
    message: '--python has no effect without --allow-python.',
    where: { input: '--python' },
    hint: 'Add --allow-python, which lets Python components run on this machine, or remove --python.',
  });
}
