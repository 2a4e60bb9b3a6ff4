import { type BlobReader, openBlobReader } from './objects/blob-reader.ts';
import { type ChangedFile, parseChanges } from './objects/changed-file.ts';
import { checkedOut, type PathBlob } from './objects/checked-out.ts';
import { fromFolder, openHistory, type History } from './objects/history.ts';
import { openPlace } from './process/open-place.ts';
import { isAmbiguous, resolveCommit } from './objects/resolve-commit.ts';
import { allSubmodules, runGit } from './process/run-git.ts';
import { type BlobVisitor, scanBlobs } from './objects/scan-blobs.ts';
import { type DiskStatus, parseStatus, statusOptions } from './objects/disk-status.ts';
import { rememberBlobs, rememberTrees } from './objects/remember-objects.ts';
import { parseTree, type TreeEntry } from './objects/tree-entry.ts';

/** For `git log -z`; no field can contain a NUL. */
const commitFormat = ['%H', '%P', '%an', '%ae', '%aI', '%cI', '%s'].join('%x00');

interface Cancel {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A repository, read through the `git` command. Publications and reviews read objects at a commit, never the work
 * tree, so that no uncommitted change is published under a commit. All methods throw Failure 'git-failed'; paths are
 * relative to the repository.
 */
export interface Repository extends History {
  /** Top of the work tree, or the git folder of a bare repository. */
  readonly root: string;
  /** The opened folder relative to the root: `''` or `projects/finance`. */
  readonly prefix: string;
  /** Branch, tag or id to the full commit id; a tag is peeled. */
  resolveCommit(ref: string, options?: Cancel): Promise<string>;
  /** The id of a commit’s tree. */
  treeOf(commit: string, options?: Cancel): Promise<string>;
  /** Whether a branch and a tag have a name, and lead to different commits: git takes the tag. */
  isAmbiguous(name: string, options?: Cancel): Promise<boolean>;
  /** Name of the branch at HEAD, also before its first commit; undefined if HEAD is detached. */
  headBranch(options?: Cancel): Promise<string | undefined>;
  /** All files of a commit, or those in one folder (or the one file) `under`; never folders. Sorted by path. */
  listTree(commit: string, options?: Cancel & { readonly under?: string }): Promise<TreeEntry[]>;
  /** One file's content; undefined if the commit has no such file. */
  readFile(
    commit: string,
    path: string,
    options?: Cancel & { readonly maxBytes?: number },
  ): Promise<Buffer | undefined>;
  /** Many files by one process; the map omits paths that the commit does not have. */
  readFiles(
    commit: string,
    paths: readonly string[],
    options?: Cancel & { readonly maxBytes?: number },
  ): Promise<Map<string, Buffer>>;
  /**
   * Blobs as a check-out would write them at their paths, with the ends of lines that git is set to write. Without files whose
   * attributes name a filter.
   */
  checkedOut(blobs: readonly PathBlob[], options?: Cancel): Promise<ReadonlyMap<string, Buffer>>;
  readBlob(oid: string, options?: Cancel & { readonly maxBytes?: number }): Promise<Buffer>;
  /** For uploads: one process for any number of blobs. Close it, or use `await using`. */
  openBlobReader(options?: Cancel): BlobReader;
  /** Passes many blobs to `visit`, one after the other: the fastest way to read thousands of files once. */
  scanBlobs(oids: readonly string[], visit: BlobVisitor, options?: Cancel): Promise<void>;
  /**
   * The changes from `base` to `head` with renames (two dots; pass `mergeBase` as the base for a branch's own
   * changes).
   */
  changedFiles(base: string, head: string, options?: Cancel): Promise<ChangedFile[]>;
  /**
   * Files in the opened folder that are new, changed or deleted on disk since HEAD, without ignored files, and the
   * commit at HEAD. Throws Failure 'git-failed' if there is no work tree.
   */
  changedOnDisk(options?: Cancel): Promise<DiskStatus>;
  /** The newest commits first, at most `limit` (100). */
  log(commit: string, options?: Cancel & { readonly limit?: number }): Promise<CommitEntry[]>;
  /**
   * The commits that `head` has and `base` lacks, the newest `limit` (50) of them first. `under`: only those that change something in this
   * folder. In a shallow clone, there may be more.
   */
  commitsSince(
    base: string,
    head: string,
    options?: Cancel & { readonly limit?: number; readonly under?: string },
  ): Promise<{ readonly count: number; readonly newest: readonly CommitEntry[] }>;
}

export interface RepositoryOptions extends Cancel {
  /**
   * The environment for git (PATH, HOME), without variables that select another repository: pass it wherever a hook
   * may be running. Without it, git inherits the environment of this process.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens the repository of `directory`. Supports bare, shallow and empty repositories, and a folder of another user,
 * which is then the only trusted one.
 */
export async function openRepository(
  directory: string,
  options: RepositoryOptions = {},
): Promise<Repository> {
  const { environment, signal: opening } = options;
  const { place, root, prefix } = await openPlace(directory, environment, opening);
  const commitOf = (ref: string, signal: AbortSignal | undefined) => resolveCommit(place, ref, signal);

  const list = async (id: string, signal: AbortSignal | undefined, ...only: string[]) => {
    const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', id, ...only];
    return parseTree((await runGit(place, args, { signal, asked: `list the files of ${id}` })).stdout);
  };
  const listAll = rememberTrees(list);
  const scan = rememberBlobs((oids, visit, signal) => scanBlobs(place, oids, visit, signal));

  const readLog = async (
    revisions: readonly string[],
    limit: number,
    asked: { readonly signal: AbortSignal | undefined; readonly asked: string },
  ) => {
    const plain = ['--no-show-signature', '--no-mailmap', '--no-notes', '--no-color', '--no-decorate'];
    const args = ['log', '-z', `--format=${commitFormat}`, `--max-count=${limit}`, ...plain];
    return parseCommits((await runGit(place, [...args, '--end-of-options', ...revisions], asked)).stdout);
  };

  const listTree: Repository['listTree'] = async (commit, { signal, under = '' } = {}) => {
    const id = await commitOf(commit, signal);
    const folder = under.replace(/\/+$/, '');
    return folder === '' ? listAll(id, signal) : list(id, signal, folder);
  };

  const readFiles: Repository['readFiles'] = async (commit, paths, { signal, maxBytes } = {}) => {
    const contents = new Map<string, Buffer>();
    if (paths.length === 0) return contents;
    const [first = ''] = paths;
    const tree = await listTree(commit, { signal, ...(paths.length === 1 ? { under: first } : {}) });
    const entries = new Map(
      tree.filter(({ type }) => type === 'blob').map((entry) => [entry.path, entry.oid]),
    );
    await using reader = openBlobReader(place, signal);
    for (const path of paths) {
      const oid = entries.get(path);
      if (oid !== undefined) contents.set(path, await reader.read(oid, maxBytes));
    }
    return contents;
  };

  return {
    root,
    prefix,
    ...openHistory(place, prefix),
    resolveCommit: (ref, { signal } = {}) => commitOf(ref, signal),
    async treeOf(commit, { signal } = {}) {
      const args = ['rev-parse', '--verify', '--end-of-options', `${await commitOf(commit, signal)}^{tree}`];
      return (await runGit(place, args, { signal, asked: `find the tree of ${commit}` })).stdout
        .toString()
        .trim();
    },
    isAmbiguous: (name, { signal } = {}) => isAmbiguous(place, name, signal),
    async headBranch({ signal } = {}) {
      const answer = await runGit(place, ['symbolic-ref', '--quiet', 'HEAD'], { signal, answers: [1] });
      return answer.code === 0
        ? answer.stdout
            .toString()
            .trimEnd()
            .replace(/^refs\/heads\//, '')
        : undefined;
    },
    listTree,
    readFiles,
    readFile: async (commit, path, limits) => (await readFiles(commit, [path], limits)).get(path),
    checkedOut: (blobs, { signal } = {}) => checkedOut(place, root, { blobs, signal }),
    async readBlob(oid, { signal, maxBytes } = {}) {
      await using reader = openBlobReader(place, signal);
      return await reader.read(oid, maxBytes);
    },
    openBlobReader: ({ signal } = {}) => openBlobReader(place, signal),
    scanBlobs: (oids, visit, { signal } = {}) => scan(oids, visit, signal),
    async changedFiles(base, head, { signal } = {}) {
      const ids = [await commitOf(base, signal), await commitOf(head, signal)];
      const plain = ['--no-ext-diff', '--no-textconv', '--no-color', allSubmodules];
      const args = ['diff-tree', '-r', '-z', '--raw', '--find-renames', ...plain, '--end-of-options', ...ids];
      return parseChanges(
        (await runGit(place, args, { signal, asked: `list the changes ${ids.join('..')}` })).stdout,
      );
    },
    async changedOnDisk({ signal } = {}) {
      const args = ['status', ...statusOptions, '--', '.'];
      return parseStatus(
        (await runGit(place, args, { signal, asked: 'list the changed files on disk' })).stdout,
      );
    },
    async log(commit, { signal, limit = 100 } = {}) {
      const id = await commitOf(commit, signal);
      return readLog([id], limit, { signal, asked: `read the history of ${id}` });
    },
    async commitsSince(base, head, { signal, limit = 50, under = '' } = {}) {
      const range = `${await commitOf(base, signal)}..${await commitOf(head, signal)}`;
      const only = under === '' ? [range] : [range, '--', fromFolder(prefix, under)];
      const asked = { signal, asked: `list the commits ${range}` };
      const args = ['rev-list', '--count', '--end-of-options', ...only];
      const count = Number((await runGit(place, args, asked)).stdout.toString());
      return { count, newest: count === 0 ? [] : await readLog(only, limit, asked) };
    },
  };
}

/** One commit of the history. */
export interface CommitEntry {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  /** When the author made the change, ISO 8601 with offset: a rebase keeps it. */
  readonly authoredAt: string;
  /** Commit time, ISO 8601 with offset. */
  readonly committedAt: string;
  readonly subject: string;
}

function parseCommits(output: Buffer): CommitEntry[] {
  const fields = output.toString('utf8').split('\0');
  const commits: CommitEntry[] = [];
  for (let i = 0; i + 6 < fields.length; i += 7) {
    const [
      commit = '',
      parents = '',
      authorName = '',
      authorEmail = '',
      authoredAt = '',
      committedAt = '',
      subject = '',
    ] = fields.slice(i, i + 7);
    const parentList = parents === '' ? [] : parents.split(' ');
    commits.push({ commit, parents: parentList, authorName, authorEmail, authoredAt, committedAt, subject });
  }
  return commits;
}
