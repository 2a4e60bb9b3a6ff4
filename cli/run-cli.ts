import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommanderError } from 'commander';
import { readEnvironment, secretsOf } from '../config/read-environment.ts';
import { redactor } from '../config/redactor.ts';
import { type ExitCode, exitCodes } from '../model/outcome.ts';
import type { Io } from './io.ts';
import { asFailure, createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command line to its exit code. Never throws: every failure is told in words. */
export async function runCli(io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = createProgram({ io, end: (ended) => (code = ended) });
  try {
    await program.parseAsync([...io.argv], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said what is wrong; help and version end in 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const failure = asFailure(error, io.signal);
    createOutput(io, {
      json: io.argv.includes('--json'),
      verbose: false,
      redact: redaction(io),
    }).failure(failure);
    if (failure.code === 'internal' && io.argv.includes('--verbose') && failure.cause instanceof Error) {
      io.stderr.write(`${redaction(io)(failure.cause.stack ?? '')}\n`);
    }
    return failure.exitCode;
  }
}

/** An environment that cannot be read holds no secret that could have got into the message. */
function redaction({ env, cwd }: Io): (text: string) => string {
  try {
    return redactor(secretsOf(readEnvironment(env, (file) => readFileSync(path.resolve(cwd, file), 'utf8'))));
  } catch {
    return (text) => text;
  }
}
