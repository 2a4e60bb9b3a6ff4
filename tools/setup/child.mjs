import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { clone } from './clone.mjs';
import { SetupError } from './setup-error.mjs';

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command in the clone on our terminal, and resolves to its exit code (128 + signal number after a signal).
 * Forwards signals to the child, and waits for its end: it may have servers to stop.
 */
export function runThrough(command, args, { env = process.env, cwd = clone } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: 'inherit' });
    const forward = (signal) => {
      // A terminal sends Ctrl-C to the child too. A second signal would end the child at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of forwardedSignals) process.on(signal, forward);
    const done = () => {
      for (const signal of forwardedSignals) process.off(signal, forward);
    };
    child.once('error', (error) => {
      done();
      reject(new SetupError(`Cannot start ${command}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      done();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Runs a command without showing its output. Resolves to the exit code and the output. */
export function runQuietly(command, args, { env = process.env, cwd = clone } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '', both: '' };
    for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
        output.both += text;
      });
    }
    child.once('error', (error) => reject(new SetupError(`Cannot start ${command}: ${error.message}`)));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), ...output }),
    );
  });
}

/** Runs npm: the one that started this process, if any, so that its settings apply. */
export function npm(args, options) {
  const caller = process.env.npm_execpath;
  if (caller?.endsWith('.js')) return runQuietly(process.execPath, [caller, ...args], options);
  return process.platform === 'win32'
    ? runQuietly(process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options)
    : runQuietly('npm', args, options);
}
