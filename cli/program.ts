import { Command, CommanderError, Option } from 'commander';
import { version } from '../lib/core/values/version.ts';
import { type CommandEntry, commandTable } from './command-table.ts';
import type { AddCommand, Shell } from './kit/command.ts';
import { completeHelp } from './kit/help.ts';
import { programName } from './terminal/program-name.ts';

/** The commands of the table, and for each loaded one the function that adds it to a program. */
export type LoadedCommands = ReadonlyMap<CommandEntry, AddCommand>;

/** Creates the program for one command line: the called command in full, all others only with name and summary. */
export async function programFor(
  argv: readonly string[],
  shell: Omit<Shell, 'wholeProgram'>,
): Promise<Command> {
  const word = (argv[0] === 'help' ? argv.slice(1) : argv).find((argument) => !argument.startsWith('-'));
  const called = commandTable.find(({ name }) => name === word);
  // One file may add several commands.
  const loaded = await loadCommands(({ load }) => load === called?.load);
  return createProgram({ ...shell, wholeProgram }, loaded);

  async function wholeProgram(): Promise<Command> {
    return createProgram({ ...shell, wholeProgram }, await loadCommands());
  }
}

/** Loads commands of the table; all by default. */
export async function loadCommands(
  isWanted: (entry: CommandEntry) => boolean = () => true,
): Promise<LoadedCommands> {
  const entries = commandTable.filter(isWanted);
  return new Map(await Promise.all(entries.map(async (entry) => [entry, await entry.load()] as const)));
}

/** Creates the program with these commands. It never exits the process: where commander would exit, it throws. */
export function createProgram(shell: Shell, loaded: LoadedCommands): Command {
  const { stdout, stderr } = shell.io;
  const program = new Command(programName(shell.io))
    .description('CI/CD for data-pipeline projects: review, publish, promote, run, roll back.')
    // Before a command only: after one, --version is the version of an artifact in most commands.
    .version(version, '-v, --version', 'print the version of Millrace')
    .addOption(new Option('-V, --millrace-version').hideHelp())
    .enablePositionalOptions()
    // Without the arguments of the commands, which are not loaded for the help of the program.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // runCli prints these errors in the same form as all others.
      outputError: () => {},
    });
  // The former name of --version.
  program.on('option:millrace-version', () => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  for (const entry of commandTable) {
    // Another command of the same file has added it.
    if (program.commands.some((command) => command.name() === entry.name)) continue;
    const add = loaded.get(entry);
    if (add === undefined) program.command(entry.name).description(entry.summary);
    else add(program, shell);
  }
  completeHelp(program, shell.io);
  return program;
}
