import type { Command, CommanderError } from 'commander';
import { closestWord } from '../../lib/core/closest-word.ts';
import { Failure } from '../../lib/core/failure.ts';

/** What commander found wrong with the command line, in the form that all our errors have. */
export function usageFailure(error: CommanderError, program: Command, argv: readonly string[]): Failure {
  const command = program.commands.find((one) => argv.includes(one.name()));
  // Commander asks for what is missing first; where an option is misspelt, that is why it is missing.
  const misspelt =
    error.code === 'commander.missingMandatoryOptionValue' ? misspeltOption(command, argv) : undefined;
  const said = misspelt ?? wordsOf(error);
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  const option = /'(--[a-z][a-z-]*)/.exec(said)?.[1];
  return new Failure('usage', {
    message: /[.?]$/.test(sentence) ? sentence : `${sentence}.`,
    hint: `See \`millrace ${command === undefined ? '' : `${command.name()} `}--help\`.`,
    ...(option === undefined ? {} : { where: { input: option } }),
  });
}

function wordsOf({ message }: CommanderError): string {
  return (
    message
      .replace(/^error: /, '')
      // Its guess comes on a line of its own: `(Did you mean publish?)`.
      .replace(/\n?\((Did you mean .*)\)$/s, '. $1')
      .trim()
  );
}

function misspeltOption(command: Command | undefined, argv: readonly string[]): string | undefined {
  const known = (command?.options ?? []).flatMap(({ long }) => (long == null ? [] : [long]));
  for (const word of argv) {
    const option = /^--[^=]+/.exec(word)?.[0];
    if (option === undefined || known.includes(option)) continue;
    const guess = closestWord(option, known);
    if (guess !== undefined) return `unknown option '${option}'. Did you mean ${guess}?`;
  }
  return undefined;
}
