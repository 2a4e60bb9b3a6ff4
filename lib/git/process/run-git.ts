import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../../core/errors/failure.ts';
import { sanitizeLine } from '../../core/text/sanitize-text.ts';
import type { GitPlace } from './git-place.ts';
import { ownershipHint } from './trust-by-file.ts';

export interface GitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that count as answers, in addition to 0. */
  readonly answers?: readonly number[];
  /** The subject of the command, for the message: `commit "v1"`. */
  readonly asked?: string;
  /** Allows this command to contact a remote; all others must not. */
  readonly network?: boolean;
  /** What git reads from its standard input. */
  readonly input?: string;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

const settings = [
  'core.quotePath=false',
  // Even diff-tree reads the index, and would start this program from the repository's configuration.
  'core.fsmonitor=',
  // Without them, a change that keeps the size and the time of a file is not seen.
  'core.trustctime=true',
  'core.checkStat=default',
  // A file that sorts the changes. Git ends if it is missing, and an empty value does not turn it off.
  'diff.orderFile=/dev/null',
].flatMap((setting) => ['-c', setting]);

/**
 * Reading never fetches, not even missing objects of a partial clone: in a folder of another user, its configuration
 * would select the command.
 */
const offline = ['', 'file.', 'git.', 'ssh.', 'http.', 'https.', 'ext.'].flatMap((scheme) => [
  '-c',
  `protocol.${scheme}allow=never`,
]);

/** Paths are literal (`*` is not a pattern), and replacement objects are ignored. */
/**
 * The option that makes git show a changed submodule even if `.gitmodules` or the configuration say to ignore it
 * (`submodule.NAME.ignore`).
 */
export const allSubmodules = '--ignore-submodules=none';

const plain = ['--no-pager', '--literal-pathspecs', '--no-replace-objects', '--no-optional-locks'];

/** Starts git without a shell. Foreign text must come after `--end-of-options`. */
export function spawnGit(
  place: GitPlace,
  args: readonly string[],
  network = false,
): ChildProcessWithoutNullStreams {
  const trust = ['-c', `safe.directory=${place.safeDirectory}`];
  const all = [...settings, ...trust, ...(network ? [] : offline), ...plain, ...args];
  return spawn('git', all, { cwd: place.directory, env: place.environment, shell: false });
}

/** Runs git to its end. Any other exit code throws Failure 'git-failed' with git's own message. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const { signal, answers = [], asked, network, input } = options;
  signal?.throwIfAborted();
  const child = spawnGit(place, args, network);
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [code, stdout, stderr] = await Promise.all([
      endOf(child),
      collect(child.stdout),
      collect(child.stderr),
    ]);
    signal?.throwIfAborted();
    if (code !== 0 && !answers.includes(code)) {
      const complaint = stderr.toString();
      const hint = refusesOwner.test(complaint)
        ? ownershipHint(place.safeDirectory)
        : /not a git repository/.test(complaint)
          ? noRepositoryHint
          : undefined;
      throw gitFailure(asked ?? `run "git ${args[0] ?? ''}"`, complaint, hint);
    }
    return { code, stdout };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

const noRepositoryHint =
  'Start the command in a folder of a git repository, or make this folder one with `git init`. On GitHub, check out the repository before this step (actions/checkout).';

/** The messages of git since 2.35.3, and of 2.35.2 and the versions fixed together with it. */
const refusesOwner = /dubious ownership|unsafe repository/;

/** Whether git refuses a repository because it belongs to another user. */
export function isOwnershipRefusal(error: unknown): boolean {
  return error instanceof Failure && refusesOwner.test(error.message);
}

/**
 * Waits for the end of a git process. Resolves with the exit code (-1 after a signal). Throws Failure 'git-failed'
 * if git cannot be started.
 */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const message = `The command git could not be started: ${cause.message}.`;
      reject(
        new Failure('git-failed', {
          message,
          hint: 'Install git and make sure that it is on the PATH.',
          cause,
        }),
      );
    });
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
}

/** The hint for a missing object. */
export const missingHint =
  'Use a clone that has the commit with all its files. On GitHub, set `fetch-depth: 0` in actions/checkout, and do not set `filter`.';

/** The failure with git's message as one printable line, because the message may quote names from outside. */
export function gitFailure(asked: string, stderr: string, hint?: string): Failure {
  const lines = stderr.trim().split('\n');
  const partial = lines.some((line) => /lazy fetching disabled|transport '.*' not allowed/.test(line));
  const complaint = partial
    ? 'this is a partial clone, which does not have all files'
    : printable(lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? '').replace(
        /^\w+: /,
        '',
      );
  const message = `Git could not ${printable(asked)}${complaint === '' ? '.' : `: ${complaint}`}`;
  const better = partial ? missingHint : hint;
  return new Failure('git-failed', better === undefined ? { message } : { message, hint: better });
}

/** A name from git on one line, for messages: each unsafe character becomes `?`. */
export function printable(text: string): string {
  return sanitizeLine(text, '?');
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
