import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const identity = {
  GIT_AUTHOR_NAME: 'octo',
  GIT_AUTHOR_EMAIL: 'octo@example.com',
  GIT_COMMITTER_NAME: 'octo',
  GIT_COMMITTER_EMAIL: 'octo@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** One file of a comparison, as far as the API shows it. */
export interface ChangedFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed';
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  readonly patch?: string;
}

/** A bare repository on disk, asked by the `git` command. */
export interface BareRepository {
  readonly path: string;
  git(...args: readonly string[]): Promise<string>;
  /** The commit that a name means (tags peeled), or `undefined`. */
  commit(name: string): Promise<string | undefined>;
  /** Every ref under a prefix with what it points at. */
  refs(prefix: string): Promise<readonly { ref: string; sha: string; type: string }[]>;
  changed(from: string, to: string): Promise<readonly ChangedFile[]>;
}

const characters: Record<string, ChangedFile['status']> = {
  A: 'added',
  M: 'modified',
  D: 'removed',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

/** What is asked for by commit ids only stays as it is; starting git again is most of the cost of an answer. */
function isFinal([command = '', ...words]: readonly string[]): boolean {
  return (
    ['cat-file', 'merge-base', 'rev-list', 'rev-parse', 'show'].includes(command) &&
    words.every((word) => /^(?:-.*|blob|[0-9a-f]{40}(?:\.{2,3}[0-9a-f]{40}|[:^].*)?)$/.test(word))
  );
}
const maxAge = 10_000;
const maxKept = 5_000;

/** @param path folder of the bare repository */
export function openBareRepository(path: string): BareRepository {
  const kept = new Map<string, string>();
  async function git(...args: readonly string[]): Promise<string> {
    const question = args.join('\0');
    const known = kept.get(question);
    if (known !== undefined) return known;
    const answer = await ask(args);
    if (isFinal(args) && answer.length < maxAge && kept.size < maxKept) kept.set(question, answer);
    return answer;
  }
  async function ask(args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', ['--git-dir', path, ...args], {
      maxBuffer: 1 << 28,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...identity },
    });
    return stdout;
  }
  return {
    path,
    git,
    async commit(name) {
      try {
        return (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)).trim();
      } catch {
        return undefined;
      }
    },
    async refs(prefix) {
      const out = await git('for-each-ref', '--format=%(refname) %(objectname) %(objecttype)', prefix);
      return out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [ref = '', sha = '', type = ''] = line.split(' ');
          return { ref, sha, type };
        });
    },
    async changed(from, to) {
      const raw = (await git('diff', '--raw', '-z', '--find-renames', '--abbrev=40', from, to)).split('\0');
      const files: ChangedFile[] = [];
      // A line of a file begins with a blank, a sign or a backslash, so only a head can begin so.
      const sections = (await git('diff', '--find-renames', from, to)).split(/^diff --git /mu).slice(1);
      for (let i = 0; i < raw.length - 1;) {
        const [, , , sha = '', letter = ''] = (raw[i] ?? '').split(' ');
        const status = characters[letter.charAt(0)] ?? 'changed';
        const first = raw[i + 1] ?? '';
        const moved = status === 'renamed' || status === 'copied';
        const filename = moved ? (raw[i + 2] ?? '') : first;
        i += moved ? 3 : 2;
        const text = sections[files.length] ?? '';
        const start = text.indexOf('\n@@');
        const patch = start === -1 ? undefined : text.slice(start + 1).replace(/\n$/u, '');
        const lines = patch?.split('\n') ?? [];
        const additions = lines.filter((line) => line.startsWith('+')).length;
        const deletions = lines.filter((line) => line.startsWith('-')).length;
        files.push({
          filename,
          ...(moved ? { previous_filename: first } : {}),
          status,
          sha,
          additions,
          deletions,
          changes: additions + deletions,
          ...(patch === undefined ? {} : { patch }),
        });
      }
      return files;
    },
  };
}
