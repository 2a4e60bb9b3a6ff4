import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram, loadCommands } from '../../cli/program.ts';
import { exitCodes } from '../../lib/core/outcomes/outcome.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';

const commands = await loadCommands();

/** All commands, for tests that read their descriptions, options and arguments. */
export function wholeProgram(): Command {
  const shell = {
    io: {
      argv: [],
      env: {},
      cwd: '/',
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      interactive: false,
      signal: new AbortController().signal,
      clock: systemClock,
      random: Math.random,
    },
    end: () => undefined,
    wholeProgram: () => Promise.resolve(wholeProgram()),
    run: () => Promise.resolve(exitCodes.done),
  };
  return createProgram(shell, commands);
}
