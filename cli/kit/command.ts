import { type Command, InvalidArgumentError } from 'commander';
import { parseDuration } from '../../lib/config/duration.ts';
import { exitCodeOf, type ExitCode, type Outcome } from '../../lib/core/outcome.ts';
import { asFailure } from './as-failure.ts';
import type { Io } from '../terminal/io.ts';
import type { CommonOptions, Session } from './session.ts';

/** Adds one command to the program; its end is reported through `finish`. */
export type AddCommand = (program: Command, shell: Shell) => void;

/** What a command is given by the program around it. */
export interface Shell {
  readonly io: Io;
  /** Remembers how the command ended. */
  end(code: ExitCode): void;
}

/** A command with the options that all have. */
export function define(program: Command, name: string, summary: string): Command {
  return program
    .command(name)
    .description(summary)
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'say more on stderr')
    .option(
      '--working-directory <folder>',
      'the project’s folder (default: the nearest one upwards that holds millrace.yaml)',
    )
    .option('--config <file>', 'configuration (default: millrace.yaml; worker.yaml for the worker)');
}

/** The same for commands that talk to the platform. */
export function definePlatformCommand(program: Command, name: string, summary: string): Command {
  return define(program, name, summary)
    .option('--base-url <url>', 'address of the platform (default: MILLRACE_BASE_URL)')
    .option('--project <id>', 'project id (default: MILLRACE_PROJECT_ID, then millrace.yaml)');
}

/** Runs the work of a command in a session, tells how it failed, and remembers the exit code. */
export function act<Options extends CommonOptions>(
  shell: Shell,
  work: (session: Session, options: Options, ...args: string[]) => Promise<Outcome>,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Commander hands over the arguments, then the options, then the command.
    const [options, args] = [given.at(-2) as Options, given.slice(0, -2)];
    // Only now: the help of a command needs neither configuration nor git.
    const { openSession } = await import('./session.ts');
    const session = openSession(shell.io, options);
    try {
      // An argument that may be repeated comes as one list.
      const words = args.flat().filter((argument) => typeof argument === 'string');
      shell.end(exitCodeOf(await work(session, options, ...words)));
    } catch (error) {
      const failure = asFailure(error, shell.io.signal);
      session.output.failure(failure);
      shell.end(failure.exitCode);
    }
  };
}

/** `30m`, `90s`, `2h` to milliseconds. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a time such as 90s, 30m or 2h.');
  return ms;
}

/** `name=value`, any number of times. */
export function pairs(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

/** One of the given words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return (text: string): Words[number] => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };
}
