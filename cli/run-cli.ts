import path from 'node:path';
import { CommanderError } from 'commander';
import { readTextFileSync } from '../lib/core/files/read-text-file.ts';
import { readEnvironment, secretsOf } from '../lib/config/environment/read-environment.ts';
import { createRedactor } from '../lib/core/text/redactor.ts';
import { type ExitCode, exitCodes } from '../lib/core/outcomes/outcome.ts';
import { asFailure } from './kit/as-failure.ts';
import { withHelpAsOption } from './kit/help.ts';
import type { Io } from './terminal/io.ts';
import { createOutput } from './terminal/output.ts';
import { programFor } from './program.ts';
import { usageFailure } from './usage-failure.ts';

/** Runs one command line and returns its exit code. Never throws: every failure is printed as an error message. */
export async function runCli(io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = await programFor(io.argv, { io, end: (ended) => (code = ended), run: runCli });
  try {
    await program.parseAsync([...withHelpAsOption(program, io.argv)], { from: 'user' });
    return code;
  } catch (error) {
    // Errors that occur before a command has a session: in the command line or in the environment.
    const byCommander = error instanceof CommanderError;
    if (byCommander && error.exitCode === 0) return exitCodes.done;
    // No command was given: commander has printed the help.
    if (byCommander && error.code === 'commander.help') return exitCodes.usage;
    const failure = byCommander ? usageFailure(error, program, io.argv) : asFailure(error, io.signal);
    const [json, verbose] = [io.argv.includes('--json'), io.argv.includes('--verbose')];
    createOutput(io, { json, verbose, redact: redaction(io) }).failure(failure);
    return failure.exitCode;
  }
}

/** If the environment cannot be read, no secret can be in the message. */
function redaction({ env, cwd }: Io): (text: string) => string {
  try {
    return createRedactor(
      secretsOf(readEnvironment(env, (file) => readTextFileSync(path.resolve(cwd, file), file))),
    ).text;
  } catch {
    return (text) => text;
  }
}
