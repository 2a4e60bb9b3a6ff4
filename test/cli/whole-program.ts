import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../cli/program.ts';
import { systemClock } from '../../lib/core/system-clock.ts';

/** All commands, for tests that read their descriptions, options and arguments. */
export function wholeProgram(): Command {
  return createProgram({
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
  });
}
