#!/usr/bin/env -S node --
// The two dashes: without them Node takes our --env-file for its own, wherever it stands.
// This file alone must load on every Node that understands modules, so that an old one says what is missing: default imports of
// Node's own modules only, as a name that the old one lacks would end in its stack trace.
import nodeModule from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { neededNode } from '../lib/core/version.ts';

if (Number.parseInt(process.versions.node, 10) < neededNode) {
  process.stderr.write(
    `error: Millrace needs Node ${neededNode} or later, and this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else {
  await main();
}

async function main(): Promise<void> {
  // Compiled code is kept beside the program, where only who installed it can write: a start after the first takes a fifth
  // less. Where nothing can be written, or NODE_DISABLE_COMPILE_CACHE is set, none is kept. It holds for what is imported
  // from here on.
  nodeModule.enableCompileCache(path.join(import.meta.dirname, '../.millrace/compile-cache'));
  const { systemClock } = await import('../lib/core/system-clock.ts');
  const { asFailure } = await import('./kit/as-failure.ts');
  const { runCli } = await import('./run-cli.ts');

  const interactive = process.stderr.isTTY && process.env.TERM !== 'dumb' && process.env.CI === undefined;
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The first asks to end in order; who asks twice means it.
      if (cancel.signal.aborted) process.exit(130);
      // Where a worker writes lines of JSON, it says so in one.
      if (interactive || process.argv[2] !== 'worker')
        process.stderr.write(`${interactive ? '\r\u001b[K' : ''}Stopping; Ctrl-C again ends it at once.\n`);
      cancel.abort(new Error(signal));
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `millrace api … | head` closes the pipe: that is the reader's good right, and what was begun goes on to its end.
    if (error.code === 'EPIPE') return;
    const { message, exitCode } = asFailure(error, cancel.signal);
    process.stderr.write(`error: the result could not be written: ${message}\n  code: storage-failed\n`);
    process.exit(exitCode);
  });
  // Whoever does not read the progress misses only that.
  process.stderr.on('error', () => {});

  process.exitCode = await runCli({
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    interactive,
    signal: cancel.signal,
    clock: systemClock,
    random: Math.random,
  });
}
