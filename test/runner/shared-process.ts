import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeVariables } from '../environment/node-variables.ts';

/** A script of an action, as the runner starts it. */
export interface SharedStep {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  onLine(line: string): void;
}

type Message =
  { readonly stream: 'stdout' | 'stderr'; readonly text: string } | { readonly exitCode: number };

let idle: ChildProcess | undefined;

/**
 * Runs a script in a process that has run others before, so that the bundle of all actions is read once: its start takes more
 * CPU time than what most steps do. At the same time, each script has a process of its own. Gives the exit code.
 */
export async function runInSharedProcess({ script, cwd, env, onLine }: SharedStep): Promise<number> {
  const child = idle ?? start();
  idle = undefined;
  const rest = { stdout: '', stderr: '' };
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if ('exitCode' in message) return resolve(message.exitCode);
        const lines = `${rest[message.stream]}${message.text}`.split(/\r?\n/u);
        rest[message.stream] = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`The process ended before the step: ${signal ?? String(code)}`)),
      );
      child.send({ script, cwd, env });
    });
  } finally {
    for (const line of Object.values(rest)) if (line !== '') onLine(line);
    child.removeAllListeners();
    if (idle === undefined && child.connected) idle = child;
    else child.kill();
  }
}

function start(): ChildProcess {
  const child = fork(fileURLToPath(new URL('shared-process.mjs', import.meta.url)), [], {
    env: nodeVariables(),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
