import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { clone } from './clone.mjs';
import { Trouble } from './trouble.mjs';

const handedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command in the clone with our own terminal and resolves to its exit code, as a shell counts it (128 + signal).
 * Signals sent to us go on to the child, and we outlive it: it may have servers to end.
 */
export function runThrough(command, args, { env = process.env, cwd = clone } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: 'inherit' });
    const handOn = (signal) => {
      // A terminal has sent its Ctrl-C to the child as well; twice would mean "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of handedOn) process.on(signal, handOn);
    const done = () => {
      for (const signal of handedOn) process.off(signal, handOn);
    };
    child.once('error', (error) => {
      done();
      reject(new Trouble(`${command} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      done();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Runs a command quietly; resolves to its exit code and what it wrote. */
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
    child.once('error', (error) => reject(new Trouble(`${command} could not be started: ${error.message}`)));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), ...output }),
    );
  });
}

/** npm as this machine has it: the one that called us where there is one, so that its settings are the same. */
export function npm(args, options) {
  const caller = process.env.npm_execpath;
  if (caller?.endsWith('.js')) return runQuietly(process.execPath, [caller, ...args], options);
  return process.platform === 'win32'
    ? runQuietly(process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options)
    : runQuietly('npm', args, options);
}
