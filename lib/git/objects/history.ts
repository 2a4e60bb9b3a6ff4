import { posix } from 'node:path';
import { type ChangedFile, parseChanges } from './changed-file.ts';
import { isShallow, resolveCommit } from './resolve-commit.ts';
import type { GitPlace } from '../process/git-place.ts';
import { gitFailure, runGit } from '../process/run-git.ts';

interface Cancel {
  readonly signal?: AbortSignal | undefined;
}

export interface Tag {
  readonly name: string;
  /** The peeled commit of the tag. */
  readonly commit: string;
}

/** Relations between commits. Throws Failure 'git-failed' if a shallow clone cannot prove a negative answer. */
export interface History {
  /** The best common ancestor; undefined if the histories are unrelated. */
  mergeBase(a: string, b: string, options?: Cancel): Promise<string | undefined>;
  /** Whether `ancestor` is `descendant` or one of its ancestors. */
  isAncestor(ancestor: string, descendant: string, options?: Cancel): Promise<boolean>;
  /** Whether a branch, local or of a remote, contains the commit; false if the branch does not exist. */
  branchContains(commit: string, branch: string, options?: Cancel): Promise<boolean>;
  /** Names of all branches that contain the commit, local and of remotes (without the remote's name), sorted. */
  branchesContaining(commit: string, options?: Cancel): Promise<string[]>;
  /** Tags of commits, newest first; of tags from the same second, the highest version first. */
  tags(options?: Cancel): Promise<Tag[]>;
  /**
   * When an annotated tag was made, in milliseconds since the epoch; undefined for a lightweight tag, and if there is no
   * such ref.
   */
  taggedAt(ref: string, options?: Cancel): Promise<number | undefined>;
  /**
   * The newest commit that changed a file; undefined if there is none. In a shallow clone, never older than its
   * first commit.
   */
  lastChange(commit: string, path: string, options?: Cancel): Promise<string | undefined>;
  /** All renames between two commits, oldest first; a single diff would miss a sequence of renames. */
  renames(from: string, to: string, options?: Cancel): Promise<ChangedFile[]>;
  /** The parents in the commit object, including those that a shallow clone does not have. */
  parents(commit: string, options?: Cancel): Promise<string[]>;
  /** Whether the clone is shallow. */
  isShallow(options?: Cancel): Promise<boolean>;
}

/**
 * Opens the history of a repository.
 * @param prefix the opened folder relative to the repository
 */
export function openHistory(place: GitPlace, prefix: string): History {
  const commitOf = (ref: string, signal: AbortSignal | undefined) => resolveCommit(place, ref, signal);

  /** In a shallow clone, the answer may depend on the missing commits. */
  const certainly = async <T>(
    answer: T,
    no: boolean,
    asked: string,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    if (no && (await isShallow(place, signal)))
      throw gitFailure(asked, 'this shallow clone has too little history');
    return answer;
  };

  const isAncestor: History['isAncestor'] = async (ancestor, descendant, { signal } = {}) => {
    const ids = [await commitOf(ancestor, signal), await commitOf(descendant, signal)];
    const args = ['merge-base', '--is-ancestor', '--end-of-options', ...ids];
    const yes =
      (await runGit(place, args, { signal, answers: [1], asked: `compare ${ids.join(' and ')}` })).code === 0;
    return certainly(yes, !yes, `find out whether ${ids.join(' is an ancestor of ')}`, signal);
  };

  const branchesContaining: History['branchesContaining'] = async (commit, { signal } = {}) => {
    const id = await commitOf(commit, signal);
    const args = [
      'for-each-ref',
      `--contains=${id}`,
      '--format=%(refname)%00%(symref)',
      'refs/heads',
      'refs/remotes',
    ];
    const refs = lines(
      (await runGit(place, args, { signal, asked: `list the branches that contain ${id}` })).stdout,
    );
    // refs/remotes/origin/HEAD points to a branch that is listed anyway.
    const branches = refs.filter(([, symref]) => symref === '').map(([ref = '']) => branchName(ref));
    return [...new Set(branches)].toSorted();
  };

  return {
    isAncestor,
    branchesContaining,
    isShallow: ({ signal } = {}) => isShallow(place, signal),
    async parents(commit, { signal } = {}) {
      const id = await commitOf(commit, signal);
      // In a shallow clone, `git log` would show the commit without its parents.
      const { stdout } = await runGit(place, ['cat-file', 'commit', id], {
        signal,
        asked: `read the commit ${id}`,
      });
      const [header = ''] = stdout.toString('utf8').split('\n\n', 1);
      return Array.from(header.matchAll(/^parent ([0-9a-f]{40,64})$/gmu), ([, parent = '']) => parent);
    },
    async lastChange(commit, path, { signal } = {}) {
      const id = await commitOf(commit, signal);
      const args = [
        'log',
        '--max-count=1',
        '--format=%H',
        '--end-of-options',
        id,
        '--',
        fromFolder(prefix, path),
      ];
      const output = (await runGit(place, args, { signal, asked: `read the history of ${path}` })).stdout;
      return output.toString().trim() || undefined;
    },
    async renames(from, to, { signal } = {}) {
      const ids = [await commitOf(from, signal), await commitOf(to, signal)].join('..');
      return readRenames(place, ids, signal);
    },
    async mergeBase(a, b, { signal } = {}) {
      const ids = [await commitOf(a, signal), await commitOf(b, signal)] as const;
      if (ids[0] === ids[1]) return ids[0];
      const args = ['merge-base', '--end-of-options', ...ids];
      const { stdout } = await runGit(place, args, {
        signal,
        answers: [1],
        asked: `compare ${ids.join(' and ')}`,
      });
      const base = stdout.toString().trim();
      return certainly(
        base === '' ? undefined : base,
        base === '',
        `find the merge base of ${ids.join(' and ')}`,
        signal,
      );
    },
    async branchContains(commit, branch, { signal } = {}) {
      const yes = (await branchesContaining(commit, { signal })).includes(branch);
      return certainly(yes, !yes, `find out whether the branch "${branch}" contains ${commit}`, signal);
    },
    tags: ({ signal } = {}) => readTags(place, signal),
    async taggedAt(ref, { signal } = {}) {
      const args = ['for-each-ref', '--format=%(refname)%00%(taggerdate:unix)', ref];
      const refs = lines((await runGit(place, args, { signal, asked: `read the tag ${ref}` })).stdout);
      // The argument is a pattern, which matches folders of refs too.
      const [, seconds = ''] = refs.find(([name]) => name === ref) ?? [];
      return seconds === '' ? undefined : Number(seconds) * 1_000;
    },
  };
}

async function readRenames(
  place: GitPlace,
  range: string,
  signal: AbortSignal | undefined,
): Promise<ChangedFile[]> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-show-signature'];
  const renames = ['--raw', '--format=', '--find-renames', '--diff-filter=R'];
  const args = ['log', '--reverse', '-z', ...renames, ...plain, '--end-of-options', range];
  return parseChanges((await runGit(place, args, { signal, asked: `list the renames of ${range}` })).stdout);
}

async function readTags(place: GitPlace, signal: AbortSignal | undefined): Promise<Tag[]> {
  const format = '%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)';
  const order = ['--sort=-version:refname', '--sort=-creatordate'];
  const { stdout } = await runGit(place, ['for-each-ref', ...order, `--format=${format}`, 'refs/tags'], {
    signal,
  });
  const tags: Tag[] = [];
  for (const [ref = '', type, oid = '', innerType, inner = ''] of lines(stdout)) {
    const name = ref.slice('refs/tags/'.length);
    if (type === 'commit') tags.push({ name, commit: oid });
    else if (innerType === 'commit') tags.push({ name, commit: inner });
    else if (innerType === 'tag') tags.push({ name, commit: await resolveCommit(place, ref, signal) });
  }
  return tags;
}

/** A path of the repository in the form that git expects in one of its folders. */
export function fromFolder(folder: string, path: string): string {
  return posix.relative(folder, path) || '.';
}

/** Lines of NUL-separated fields; a ref's name can contain neither. */
function lines(output: Buffer): string[][] {
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0'));
}

function branchName(ref: string): string {
  return ref.replace(/^refs\/heads\/|^refs\/remotes\/[^/]+\//, '');
}
