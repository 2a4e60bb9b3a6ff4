import path from 'node:path';
import { defaultMaxBytes } from './blob-reader.ts';
import { type ChangedFile, parseChanges } from './changed-file.ts';
import { diskReader } from './disk-reader.ts';
import { openPlace } from './open-place.ts';
import { resolveCommit } from './resolve-commit.ts';
import type { GitPlace } from './git-place.ts';
import { runGit } from './run-git.ts';
import { type BlobVisitor, scanBlobs } from './scan-blobs.ts';
import { inFolder, readEntries, type Snapshot } from './snapshot.ts';
import { isLink, type TreeEntry } from './tree-entry.ts';

interface WorkCopyOptions {
  /**
   * The environment for git. A hook's `GIT_INDEX_FILE` is used: with `git commit -a` it names the index to commit.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the staged files (from git objects, independent of the files on disk), or the work tree with new files that
 * are not ignored. Only for a review before the push, never for a publication. Throws Failure 'git-failed'.
 */
export async function openWorkCopy(
  directory: string,
  kind: 'staged' | 'working-tree',
  { environment, signal }: WorkCopyOptions = {},
): Promise<Snapshot> {
  const { place: opened, root } = await openPlace(directory, environment, signal);
  const place: GitPlace = { ...opened, directory: root, environment: withIndex(opened, environment, root) };
  const ask = async (...args: string[]) => (await runGit(place, args, { signal })).stdout;
  const askNames = async (...options: string[]) => names(await ask('ls-files', '-z', ...options));
  const untracked = kind === 'staged' ? [] : askNames('--others', '--exclude-standard');
  const list = async (): Promise<readonly TreeEntry[]> => {
    const staged = ask('ls-files', '-z', '--stage').then(parseIndex);
    if (kind === 'staged') return staged;
    const [tracked, deleted, fresh] = await Promise.all([staged, askNames('--deleted'), untracked]);
    const gone = new Set(deleted);
    return [
      ...tracked.filter((entry) => !gone.has(entry.path)),
      ...fresh.map((name) => entryOf(name, '100644', '')),
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  };
  // Every review lists the files, so git begins at once.
  const listed = list();
  listed.catch(() => {});
  const commit = await resolveCommit(place, 'HEAD', signal).catch(() => '');
  const unread = new Map<string, string>();
  const links = new Set<string>();
  const readOnDisk = diskReader(root, links);

  return {
    kind,
    commit,
    list: async (under = '') => inFolder(await listed, under),
    unread,
    links,
    async readFiles(paths, maxBytes = defaultMaxBytes, wanted) {
      const asked = new Set(paths);
      const entries = (await listed).filter((entry) => entry.type === 'blob' && asked.has(entry.path));
      if (kind === 'working-tree') {
        const contents = new Map<string, Buffer>();
        for (const { path: name } of entries) {
          const read = await readOnDisk(name, maxBytes);
          if (typeof read === 'string') unread.set(name, read);
          else if (wanted?.(read) !== false) contents.set(name, read);
        }
        return contents;
      }
      for (const entry of entries.filter(isLink)) links.add(entry.path);
      const scan = (oids: readonly string[], visit: BlobVisitor) => scanBlobs(place, oids, visit, signal);
      return readEntries(scan, entries, { unread, maxBytes, wanted });
    },
    async changedSince(base) {
      const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
      const where = kind === 'staged' ? ['--cached'] : [];
      // Usually the commit that the files are based on, which was resolved already.
      const id = base === commit ? commit : await resolveCommit(place, base, signal);
      const changed = parseChanges(
        await ask('diff', '--raw', '-z', ...plain, ...where, '--end-of-options', id),
      );
      const fresh = (await untracked).map((name): ChangedFile => ({ status: 'added', path: name }));
      return [...changed, ...fresh];
    },
  };
}

function withIndex(
  { environment }: GitPlace,
  outside: WorkCopyOptions['environment'],
  root: string,
): GitPlace['environment'] {
  const index = outside?.GIT_INDEX_FILE;
  if (environment === undefined || index === undefined || index === '') return environment;
  // Git starts a hook at the top of the work tree, and the path is relative to it.
  return { ...environment, GIT_INDEX_FILE: path.resolve(root, index) };
}

/** Parses `git ls-files -z --stage`: `<mode> <oid> <stage>\t<path>\0`; for a conflict, our side. */
function parseIndex(output: Buffer): TreeEntry[] {
  return names(output).flatMap((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', oid = '', stage] = record.slice(0, tab).split(' ');
    return stage === '0' || stage === '2' ? [entryOf(record.slice(tab + 1), mode, oid)] : [];
  });
}

function entryOf(name: string, mode: string, oid: string): TreeEntry {
  return { path: name, mode, type: mode === '160000' ? 'commit' : 'blob', oid };
}

function names(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
}
