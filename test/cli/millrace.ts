import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeVariables } from '../environment/node-variables.ts';
import { entryOf } from '../environment/processes/entry.ts';
import { checkResult } from './check-result.ts';

/** The command itself. */
export const entry = entryOf('cli/main');

export interface MillraceOptions {
  /** A session of its own: the terminal of the person who runs the tests is not the program's. */
  readonly ownSession?: boolean;
  readonly cwd?: string;
  /** Added to PATH and HOME; nothing else of this process's environment gets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is on standard input. */
  readonly input?: string | Buffer;
  /** Standard input does not end, like a terminal's. */
  readonly keepInputOpen?: boolean;
  /** The file of the command; by default `entry`. */
  readonly entry?: string;
}

/** How the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command, running. */
export interface Running extends AsyncDisposable {
  readonly ended: Promise<Ended>;
  /** Resolves to the groups of the first match in what has been written so far; fails where the command ends before. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<readonly string[]>;
  send(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void;
  /** Sends it again until the command ends: one that follows another at once counts as the same. */
  sendAgain(signal: 'SIGINT' | 'SIGTERM'): Promise<Ended>;
  /** Stops reading standard output, as `head` does when it has seen enough. */
  closeStdout(): void;
}

/** Starts `millrace` as users do, in a process of its own. */
export function startMillrace(args: readonly string[], options: MillraceOptions = {}): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--', options.entry ?? entry, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME, ...nodeVariables(), ...options.env },
    stdio: 'pipe',
    detached: options.ownSession === true,
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (written[stream] += text));
  }
  child.stdin.on('error', () => {});
  if (options.keepInputOpen !== true) child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...written }));

  return {
    ended,
    async until(stream, pattern) {
      const over = ended.then(() => 'over' as const);
      for (;;) {
        const match = pattern.exec(written[stream]);
        if (match !== null) return [...match];
        const next = await Promise.race([once(child[stream], 'data'), over]);
        if (next === 'over' && !pattern.test(written[stream]))
          throw new Error(`it ended without ${String(pattern)}: ${written.stdout}${written.stderr}`);
      }
    },
    send: (signal) => void child.kill(signal),
    async sendAgain(signal) {
      const sending = setInterval(() => child.kill(signal), 100);
      return ended.finally(() => clearInterval(sending));
    },
    closeStdout: () => void child.stdout.destroy(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs `millrace` to its end. */
export async function millrace(args: readonly string[], options: MillraceOptions = {}): Promise<Ended> {
  const ended = await startMillrace(args, options).ended;
  checkResult(args, ended.stdout);
  return ended;
}
