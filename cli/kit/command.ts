import { InvalidArgumentError, type Command, type Option } from 'commander';
import { statSync } from 'node:fs';
import { parseDuration } from '../../lib/config/fields/duration.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { exitCodeOf, type ExitCode, type Outcome } from '../../lib/core/outcomes/outcome.ts';
import { asFailure } from './as-failure.ts';
import type { Io } from '../terminal/io.ts';
import type { CommonOptions, Session } from './session.ts';

/** Adds one command to the program. The command reports its exit code to `shell.end`. */
export type AddCommand = (program: Command, shell: Shell) => void;

/** What the program passes to each command. */
export interface Shell {
  readonly io: Io;
  /** Records the exit code of the command. */
  end(code: ExitCode): void;
  /** The program with the code of all commands. */
  wholeProgram(): Promise<Command>;
  /** Runs another command line to its end. */
  run(io: Io): Promise<ExitCode>;
}

/** Defines a command with the options that all commands have. */
export function defineCommand(program: Command, name: string, summary: string): Command {
  return program
    .command(name)
    .description(summary)
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'print more details to stderr')
    .option(
      '--working-directory <folder>',
      'project folder (default: the nearest folder with millrace.yaml, from the current one upwards)',
    )
    .option('--config <file>', 'configuration file (default: millrace.yaml; worker.yaml for the worker)');
}

/** Defines a command that calls the platform. */
export function definePlatformCommand(program: Command, name: string, summary: string): Command {
  return defineCommand(program, name, summary)
    .option('--base-url <url>', 'address of the platform (default: MILLRACE_BASE_URL)')
    .option('--project <id>', 'project id (default: MILLRACE_PROJECT_ID, then millrace.yaml)');
}

/** The action of a command: runs `work` in a session, prints a failure, and records the exit code. */
export function commandAction<Options extends CommonOptions>(
  shell: Shell,
  work: (session: Session, options: Options, ...args: string[]) => Promise<Outcome | ExitCode>,
) {
  return async (...passed: unknown[]): Promise<void> => {
    // Commander passes the arguments, then the options, then the command.
    const [options, args] = [passed.at(-2) as Options, passed.slice(0, -2)];
    // Imported only here: the help of a command needs neither configuration nor git.
    const { openSession } = await import('./session.ts');
    const session = openSession(shell.io, options);
    try {
      requireWorkingDirectory(session, options);
      // Commander passes a repeatable argument as one list.
      const words = args.flat().filter((argument) => typeof argument === 'string');
      const ended = await work(session, options, ...words);
      shell.end(typeof ended === 'number' ? ended : exitCodeOf(ended));
    } catch (error) {
      const failure = atOption(asFailure(error, shell.io.signal), passed.at(-1) as Command);
      session.output.failure(failure);
      shell.end(failure.exitCode);
    }
  };
}

/** A command that reads no files would otherwise ignore a folder that does not exist. Throws Failure 'usage'. */
function requireWorkingDirectory({ directory }: Session, { workingDirectory: named }: CommonOptions): void {
  if (named === undefined || statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new Failure('usage', {
    message: `The folder ${named} does not exist.`,
    where: { input: '--working-directory' },
    hint: 'Give --working-directory the path of a folder. A relative path begins at the current folder.',
  });
}

/** Parses `30m`, `90s`, `2h` into milliseconds. Throws InvalidArgumentError. */
export function parseDurationOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 90s, 30m or 2h.');
  return ms;
}

/** Parses a repeatable `name=value` into a record. Throws InvalidArgumentError. */
export function parsePair(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

/** The words that a parser of `oneOf` accepts, for the completion of the shell. */
const acceptedWords = new WeakMap<object, readonly string[]>();

/** A parser that accepts only the given words. It throws InvalidArgumentError. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  const parse = (text: string): Words[number] => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}${meantClause(text, words) || '.'}`);
  };
  acceptedWords.set(parse, words);
  return parse;
}

/** The words that an option accepts as its value; empty if it accepts any text. */
export function wordsOfValue({ parseArg }: Option): readonly string[] {
  return parseArg === undefined ? [] : (acceptedWords.get(parseArg) ?? []);
}

/**
 * Returns the failure with the place in the form that the user typed. A flow names an input as the actions do
 * (`version`); on the command line it is an option (`--version`).
 */
export function atOption(failure: Failure, { options, registeredArguments }: Command): Failure {
  const { code, message, where, hint, details, cause } = failure;
  const input = where?.input;
  if (input === undefined || registeredArguments.some((argument) => argument.name() === input))
    return failure;
  const option = options.find(({ long }) => long === `--${input}`)?.long;
  if (option === undefined || option === null) return failure;
  return new Failure(code, { message, where: { ...where, input: option }, hint, details, cause });
}
