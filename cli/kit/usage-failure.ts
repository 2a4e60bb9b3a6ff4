import type { Command, CommanderError } from 'commander';
import { meantSentence } from '../../lib/core/did-you-mean.ts';
import { Failure } from '../../lib/core/failure.ts';

/** Converts commander's error about the command line into a Failure 'usage'. */
export function usageFailure(error: CommanderError, program: Command, argv: readonly string[]): Failure {
  // The first one: a later word, such as `--to test`, may be the value of an option.
  const command = argv.flatMap((word) => program.commands.find((one) => one.name() === word) ?? [])[0];
  // Commander reports a missing option before an unknown one. The option may be missing because its name is misspelled.
  const unknown =
    error.code === 'commander.missingMandatoryOptionValue' ? describeUnknownOption(command, argv) : undefined;
  const message = unknown ?? messageOf(error);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  const option = /'(--[a-z][a-z-]*)/.exec(message)?.[1];
  return new Failure('usage', {
    message: /[.?]$/.test(sentence) ? sentence : `${sentence}.`,
    hint: `See \`millrace ${command === undefined ? '' : `${command.name()} `}--help\`.`,
    ...(option === undefined ? {} : { where: { input: option } }),
  });
}

function messageOf({ message }: CommanderError): string {
  return (
    message
      .replace(/^error: /, '')
      // Commander writes its suggestion on a separate line: `(Did you mean publish?)`.
      .replace(/\n?\((Did you mean .*)\)$/s, '. $1')
      .replace(/Did you mean (\S+)\?$/, 'Did you mean "$1"?')
      .trim()
  );
}

function describeUnknownOption(command: Command | undefined, argv: readonly string[]): string | undefined {
  const known = (command?.options ?? []).flatMap(({ long }) => (long == null ? [] : [long]));
  for (const word of argv) {
    const option = /^--[^=]+/.exec(word)?.[0];
    if (option === undefined || known.includes(option)) continue;
    const meant = meantSentence(option, known);
    if (meant !== '') return `unknown option '${option}'.${meant}`;
  }
  return undefined;
}
