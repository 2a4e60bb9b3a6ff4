import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../model/failure.ts';

/** Where git runs and what it may trust. */
export interface GitPlace {
  readonly directory: string;
  /** The one folder that may belong to somebody else (a container's work space); nothing else is trusted. */
  readonly safeDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that are answers, beside 0. */
  readonly answers?: readonly number[];
  /** What was asked, for the message: `commit "v1"`. */
  readonly asked?: string;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

/** Starts git without a shell. Foreign text must stand behind `--end-of-options` or `--`. */
export function spawnGit(place: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  const settings = [
    'core.quotePath=false',
    `safe.directory=${place.safeDirectory}`,
    // Even diff-tree reads the index, and would start this program of the repository's choice.
    'core.fsmonitor=',
  ].flatMap((setting) => ['-c', setting]);
  return spawn('git', [...settings, '--no-pager', ...args], {
    cwd: place.directory,
    env: place.environment,
    shell: false,
  });
}

/** Runs git to its end. Any exit code that is no answer is a Failure 'git-failed' with git's own words. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const { signal, answers = [], asked } = options;
  signal?.throwIfAborted();
  const child = spawnGit(place, args);
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    child.stdin.on('error', () => {});
    child.stdin.end();
    const [code, stdout, stderr] = await Promise.all([
      endOf(child),
      collect(child.stdout),
      collect(child.stderr),
    ]);
    signal?.throwIfAborted();
    if (code !== 0 && !answers.includes(code))
      throw gitFailure(asked ?? `git ${args[0] ?? ''}`, stderr.toString());
    return { code, stdout };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Resolves with the exit code (-1 after a signal); a git that cannot be started is a Failure 'git-failed'. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const message = `The command git could not be started: ${cause.message}.`;
      reject(
        new Failure('git-failed', {
          message,
          mend: 'Install git and make sure that it is on the PATH.',
          cause,
        }),
      );
    });
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
}

/** Git's first complaint in one printable line: it may quote foreign names, which must not reach a terminal raw. */
export function gitFailure(asked: string, stderr: string, mend?: string): Failure {
  const complaint = printable(stderr.trim().split('\n')[0] ?? '').replace(/^(fatal|error): /, '');
  const message = `Git could not answer about ${printable(asked)}${complaint === '' ? '.' : `: ${complaint}`}`;
  return new Failure('git-failed', mend === undefined ? { message } : { message, mend });
}

/** Control characters as `?`, for messages that quote names. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
