import type { Command } from 'commander';
import { wordsOfValue } from '../command.ts';
import { allCommands, wordsOf } from '../help.ts';

/** What a shell can complete after the words of one command. */
export interface CompletedCommand {
  /** The words of the command, with spaces between them; `''` for the program. */
  readonly words: string;
  readonly summary: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  /** Words that its argument can be. */
  readonly values: readonly string[];
}

export interface CompletedOption {
  /** `--dry-run`, and its short name if it has one. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  /** The words that its value must be one of; empty if it may be anything. */
  readonly values: readonly string[];
}

/** The commands to complete: the program itself first, then all commands. */
export function completionModel(program: Command): readonly CompletedCommand[] {
  return [program, ...allCommands(program)].map((command) => ({
    words: wordsOf(command),
    summary: command.description(),
    subcommands: command.commands.map((subcommand) => ({
      name: subcommand.name(),
      summary: subcommand.description(),
    })),
    options: [
      ...command.options
        .filter(({ hidden }) => !hidden)
        .map((option) => ({
          names: [option.long, option.short].filter((name) => name != null),
          summary: option.description,
          takesValue: option.required || option.optional,
          values: wordsOfValue(option),
        })),
      { names: ['--help', '-h'], summary: 'display help for command', takesValue: false, values: [] },
    ],
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
}
