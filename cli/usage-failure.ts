import type { Command, CommanderError } from 'commander';
import { meantClause, meantSentence } from '../lib/core/text/did-you-mean.ts';
import { Failure } from '../lib/core/errors/failure.ts';
import { wordsOf } from './kit/help.ts';

/** Converts commander's error about the command line into a Failure 'usage'. */
export function usageFailure(error: CommanderError, program: Command, argv: readonly string[]): Failure {
  const command = commandOf(program, argv);
  // Commander reports a missing option before an unknown one. The option may be missing because its name is misspelled.
  const unknown =
    error.code === 'commander.missingMandatoryOptionValue' ? describeUnknownOption(command, argv) : undefined;
  const message = unknown ?? messageOf(error, command);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  const option = /'(--[a-z][a-z-]*)/.exec(message)?.[1];
  return new Failure('usage', {
    message: /[.?]$/.test(sentence) ? sentence : `${sentence}.`,
    hint: `See \`millrace ${command === undefined ? '' : `${wordsOf(command)} `}--help\`.`,
    ...(option === undefined ? {} : { where: { input: option } }),
  });
}

/**
 * The command that a command line names, with its subcommand. The first words count: a later one, such as `--to test`, may be the
 * value of an option.
 */
function commandOf(program: Command, argv: readonly string[]): Command | undefined {
  const at = argv.findIndex((word) => program.commands.some((command) => command.name() === word));
  const named = program.commands.find((command) => command.name() === argv[at]);
  if (named === undefined) return undefined;
  return commandOf(named, argv.slice(at + 1, at + 2)) ?? named;
}

function messageOf({ message, code }: CommanderError, command: Command | undefined): string {
  const sentence = message
    .replace(/^error: /, '')
    // Commander writes its suggestion on a separate line: `(Did you mean publish?)`.
    .replace(/\n?\((Did you mean .*)\)$/s, '. $1')
    .replace(/Did you mean (\S+)\?$/, 'Did you mean "$1"?')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s,
      (_, value: string, name: string, choices: string) =>
        `Argument <${name}> '${value}' is invalid. ${choiceOf(value, choices)}`,
    )
    .replace(
      /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
      (_, value: string, choices: string) => `argument '${value}' is invalid. ${choiceOf(value, choices)}`,
    )
    .trim();
  if (code === 'commander.missingMandatoryOptionValue') {
    const option = command?.options.find(({ flags }) => sentence.includes(`'${flags}'`));
    return option === undefined ? sentence : `${sentence.replace(/\.$/, '')}: ${option.description}`;
  }
  if (code !== 'commander.missingArgument') return sentence;
  const named = command?.registeredArguments.find((argument) => sentence.endsWith(`'${argument.name()}'`));
  return named === undefined ? sentence : `${sentence}: ${named.description}`;
}

/** As `oneOf` says it. */
function choiceOf(value: string, choices: string): string {
  return `It must be one of ${choices}${meantClause(value, choices.split(', ')) || '.'}`;
}

function describeUnknownOption(command: Command | undefined, argv: readonly string[]): string | undefined {
  const knownOptions = (command?.options ?? []).flatMap(({ long }) => (long == null ? [] : [long]));
  for (const word of argv) {
    const option = /^--[^=]+/.exec(word)?.[0];
    if (option === undefined || knownOptions.includes(option)) continue;
    const meant = meantSentence(option, knownOptions);
    if (meant !== '') return `unknown option '${option}'.${meant}`;
  }
  return undefined;
}
