#!/usr/bin/env -S node --
// The two dashes in the first line: without them Node reads our --env-file as its own option.
// This file must load on every Node version that supports modules, so that an old Node prints a readable error. Therefore it
// uses only default imports of built-in modules: a named import that an old Node lacks ends in a stack trace.
import nodeModule from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { neededNode } from '../lib/core/values/version.ts';

if (Number.parseInt(process.versions.node, 10) < neededNode) {
  process.stderr.write(
    `error: Millrace needs Node ${neededNode} or later. This is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else {
  await main();
}

async function main(): Promise<void> {
  // Node keeps compiled code next to the program, where only the user who installed it can write. Later starts take a fifth
  // less time. Without write access, or with NODE_DISABLE_COMPILE_CACHE, there is no cache. It covers later imports only.
  nodeModule.enableCompileCache(path.join(import.meta.dirname, '../.millrace/compile-cache'));
  const { systemClock } = await import('../lib/core/ports/system-clock.ts');
  const { asFailure } = await import('./kit/as-failure.ts');
  const { runCli } = await import('./run-cli.ts');

  const interactive = process.stderr.isTTY && process.env.TERM !== 'dumb' && process.env.CI === undefined;
  const cancel = new AbortController();
  let cancelledAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The first signal asks for an orderly end; the second ends the process at once. npm and other parents forward a signal that a
      // process group has received already: that is the same one.
      if (cancel.signal.aborted && performance.now() - cancelledAt < 500) return;
      if (cancel.signal.aborted) process.exit(130);
      cancelledAt = performance.now();
      // A worker that logs JSON reports its end as a JSON line instead.
      if (interactive || process.argv[2] !== 'worker')
        process.stderr.write(
          `${interactive ? '\r\u001b[K' : ''}Stopping. Press Ctrl-C again to stop at once.\n`,
        );
      cancel.abort(new Error(signal));
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `millrace api … | head` closes the pipe. That is not an error: the command still completes its work.
    if (error.code === 'EPIPE') return;
    const { exitCode } = asFailure(error, cancel.signal);
    process.stderr.write(
      `error: Cannot write the result: ${error.message}.\n  how to fix: Check the free space and the permissions where the output goes.\n  code: storage-failed\n`,
    );
    process.exit(exitCode);
  });
  // A closed stderr loses progress messages only.
  process.stderr.on('error', () => {});

  process.exitCode = await runCli({
    argv: process.argv.slice(2),
    script: process.argv[1],
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    interactive,
    signal: cancel.signal,
    onHangUp: (listener) => void process.on('SIGHUP', listener),
    clock: systemClock,
    random: Math.random,
  });
}
