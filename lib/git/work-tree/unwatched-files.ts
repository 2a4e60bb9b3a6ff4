import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { ChangedFile } from '../objects/changed-file.ts';
import type { GitPlace } from '../process/git-place.ts';
import type { IndexEntry } from './index-entries.ts';
import { runGit } from '../process/run-git.ts';
import { folderMode, isLink, linkMode } from '../objects/tree-entry.ts';

/**
 * Files that git assumes to be unchanged on disk, as they really are. Git's own commands use the content in the
 * index.
 */
export interface UnwatchedFiles {
  /** The entry with its mode on disk; undefined if the file was deleted. For a file that a sparse check-out leaves out, the entry of the index. */
  entryOf(entry: IndexEntry): IndexEntry | undefined;
  isOnDisk(name: string): boolean;
  /** The changes that git's own commands found, corrected by what is on disk. Throws Failure 'git-failed'. */
  withChanges(changes: readonly ChangedFile[]): Promise<readonly ChangedFile[]>;
}

/** Finds such files. `entries`: the whole index of the repository at `root`. */
export function unwatchedFiles(
  place: GitPlace,
  root: string,
  { entries, signal }: { readonly entries: readonly IndexEntry[]; readonly signal: AbortSignal | undefined },
): UnwatchedFiles {
  const unwatched = entries.filter(({ isUnwatched, type }) => isUnwatched && type === 'blob');
  const onDisk = statsIn(root);
  const entryOf = (indexed: IndexEntry): IndexEntry | undefined => {
    const stats = onDisk(indexed.path);
    if (stats === undefined) return indexed.isLeftOut ? indexed : undefined;
    // A partial clone need not fetch what is on disk.
    const entry = { ...indexed, isAbsent: false };
    if (stats.isDirectory()) return { ...entry, mode: folderMode };
    if (stats.isSymbolicLink()) return { ...entry, mode: linkMode };
    return isLink(entry) ? { ...entry, mode: '100644' } : entry;
  };
  const isOther = async (): Promise<ReadonlySet<string>> => {
    const other = new Set<string>();
    const files: IndexEntry[] = [];
    for (const entry of unwatched) {
      const stats = onDisk(entry.path);
      if (stats === undefined || isLink(entry) !== stats.isSymbolicLink() || stats.isDirectory()) {
        if (stats !== undefined) other.add(entry.path);
      } else if (stats.isSymbolicLink()) {
        const target = readlinkSync(path.join(root, entry.path), 'buffer');
        if (idOf(target, entry.oid) !== entry.oid) other.add(entry.path);
      } else files.push(entry);
    }
    const ids = await idsOnDisk(place, files, signal);
    for (const [at, { path: name, oid }] of files.entries()) if (ids[at] !== oid) other.add(name);
    return other;
  };
  return {
    entryOf,
    isOnDisk: (name) => onDisk(name) !== undefined,
    async withChanges(changes) {
      if (unwatched.length === 0) return changes;
      const gone = new Set(unwatched.flatMap((entry) => (entryOf(entry) === undefined ? [entry.path] : [])));
      const other = await isOther();
      const changedPaths = new Set(changes.map((change) => change.path));
      const added = [...other].filter((name) => !changedPaths.has(name));
      const deleted = [...gone].filter((name) => !changedPaths.has(name));
      return [
        ...changes.flatMap((change) => (gone.has(change.path) ? withoutFile(change) : [change])),
        ...added.map((name): ChangedFile => ({ status: 'modified', path: name })),
        ...deleted.map((name): ChangedFile => ({ status: 'deleted', path: name })),
      ];
    },
  };
}

/** The changes that remain of a change whose file was deleted on disk. */
function withoutFile({ status, path: name, oldPath }: ChangedFile): readonly ChangedFile[] {
  if (status === 'added') return [];
  return [{ status: 'deleted', path: oldPath ?? name }];
}

/** Searches for files on disk. A sparse check-out may leave out many thousand files of folders that do not exist. */
function statsIn(root: string): (name: string) => Stats | undefined {
  const folders = new Map<string, boolean>();
  const has = (folder: string): boolean => {
    const cached = folders.get(folder);
    if (cached !== undefined) return cached;
    const parent = path.posix.dirname(folder);
    const there =
      (parent === '.' || has(parent)) &&
      lstatSync(path.join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    folders.set(folder, there);
    return there;
  };
  return (name) => {
    const folder = path.posix.dirname(name);
    return folder === '.' || has(folder)
      ? lstatSync(path.join(root, name), { throwIfNoEntry: false })
      : undefined;
  };
}

/** The ids that git would store the files under, with its filters. */
async function idsOnDisk(
  place: GitPlace,
  entries: readonly IndexEntry[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const batch = 200;
  const ids: string[] = [];
  for (let at = 0; at < entries.length; at += batch) {
    const paths = entries.slice(at, at + batch).map(({ path: name }) => name);
    const args = ['hash-object', '--end-of-options', ...paths];
    const { stdout } = await runGit(place, args, { signal, asked: 'read the files on disk' });
    ids.push(...stdout.toString().trimEnd().split('\n'));
  }
  return ids;
}

/** The id of a blob in the hash function of another id. */
function idOf(content: Buffer, like: string): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');
}
