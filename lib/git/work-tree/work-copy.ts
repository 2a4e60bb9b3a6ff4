import { compareTexts } from '../../core/text/compare-texts.ts';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { defaultMaxBytes } from '../objects/blob-reader.ts';
import { Failure } from '../../core/errors/failure.ts';
import { type ChangedFile, parseChanges } from '../objects/changed-file.ts';
import { diskReader } from './disk-reader.ts';
import { openPlace } from '../process/open-place.ts';
import { resolveCommit } from '../objects/resolve-commit.ts';
import type { GitPlace } from '../process/git-place.ts';
import { indexEntries, type IndexEntry, names } from './index-entries.ts';
import { rememberBlobs } from '../objects/remember-objects.ts';
import { allSubmodules, printable, runGit } from '../process/run-git.ts';
import { scanBlobs } from '../objects/scan-blobs.ts';
import { inFolder, readEntries, type Reading, type Snapshot } from '../snapshot.ts';
import { folderMode, isAbsent, isLink, linkMode, type TreeEntry } from '../objects/tree-entry.ts';
import { unwatchedFiles } from './unwatched-files.ts';

/** Why a file has no content here, as the end of a sentence. */
const absentReason =
  'it is outside of the sparse check-out, and this partial clone does not have its content';

interface WorkCopyOptions {
  /**
   * The environment for git. A hook's `GIT_INDEX_FILE` is used: with `git commit -a` it names the index to commit.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the staged files (from git objects, independent of the files on disk), or the work tree with new files that
 * are not ignored, and with the files of the index that a sparse check-out leaves out. Only for a review before the
 * push, never for a publication. Throws Failure 'git-failed', also for staged files of a merge with conflicts.
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
  const index = indexEntries(place, kind === 'staged', signal).then((entries) =>
    kind === 'staged' ? refuseUnmerged(entries) : entries,
  );
  const unwatched = index.then((entries) => unwatchedFiles(place, root, { entries, signal }));
  unwatched.catch(() => {});
  const list = async (): Promise<readonly TreeEntry[]> => {
    if (kind === 'staged') return index;
    const ofDisk = Promise.all([index, unwatched, changedModes(place, signal), untracked]);
    const [tracked, { entryOf }, modes, fresh] = await ofDisk;
    return [
      ...tracked.flatMap((entry): TreeEntry[] => {
        if (entry.isUnwatched) {
          const there = entryOf(entry);
          return there === undefined ? [] : [there];
        }
        const mode = modes.get(entry.path);
        if (mode === undefined) return [entry];
        const isFolder = mode === goneMode && onDisk(entry.path)?.isDirectory() === true;
        if (isFolder) return [{ ...entry, mode: folderMode }];
        return mode === goneMode ? [] : [{ ...entry, mode }];
      }),
      ...fresh.map((name): TreeEntry => ({ path: name, mode: freshMode(name), type: 'blob', oid: '' })),
    ].toSorted((a, b) => compareTexts(a.path, b.path));
  };
  const onDisk = (name: string) => lstatSync(path.join(root, name), { throwIfNoEntry: false });
  const freshMode = (name: string) => (onDisk(name)?.isSymbolicLink() === true ? linkMode : '100644');
  // Every review lists the files, so the listing starts now.
  const listed = list();
  listed.catch(() => {});
  const commit = await resolveCommit(place, 'HEAD', signal).catch(() => '');
  const unread = new Map<string, string>();
  const links = new Set<string>();
  const readOnDisk = diskReader(root, links);
  const scan = rememberBlobs((oids, visit, stop) => scanBlobs(place, oids, visit, stop));
  const readFromIndex = async (
    entries: readonly TreeEntry[],
    maxBytes: number,
    accepts: Reading['accepts'],
  ): Promise<Map<string, Buffer>> => {
    for (const { path: name } of entries.filter(isAbsent)) unread.set(name, absentReason);
    const present = entries.filter((entry) => !isAbsent(entry));
    for (const entry of present.filter(isLink)) links.add(entry.path);
    return readEntries((oids, visit) => scan(oids, visit, signal), present, { unread, maxBytes, accepts });
  };
  return {
    kind,
    commit,
    list: async (under = '') => inFolder(await listed, under),
    unread,
    links,
    async readFiles(paths, maxBytes = defaultMaxBytes, accepts) {
      const asked = new Set(paths);
      const entries = (await listed).filter((entry) => entry.type === 'blob' && asked.has(entry.path));
      if (kind === 'staged') return readFromIndex(entries, maxBytes, accepts);
      const { isOnDisk } = await unwatched;
      const leftOut = new Set((await index).flatMap((entry) => (entry.isLeftOut ? [entry.path] : [])));
      const elsewhere = entries.filter(({ path: name }) => leftOut.has(name) && !isOnDisk(name));
      const contents = await readFromIndex(elsewhere, maxBytes, accepts);
      const inIndex = new Set(elsewhere);
      for (const entry of entries) {
        if (inIndex.has(entry)) continue;
        const read = await readOnDisk(entry.path, maxBytes);
        if (typeof read === 'string') unread.set(entry.path, read);
        else if (accepts?.(read) !== false) contents.set(entry.path, read);
      }
      return contents;
    },
    async changedSince(base) {
      const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', allSubmodules];
      const where = kind === 'staged' ? ['--cached'] : [];
      // Usually the commit that the files are based on, which was resolved already.
      const id = base === commit ? commit : await resolveCommit(place, base, signal);
      const changed = parseChanges(
        await ask('diff', '--raw', '-z', ...plain, ...where, '--end-of-options', id),
      );
      if (kind === 'staged') return changed;
      const fresh = (await untracked).map((name): ChangedFile => ({ status: 'added', path: name }));
      return [...(await (await unwatched).withChanges(changed)), ...fresh];
    },
  };
}

/** Git commits nothing before every conflict is resolved, so the staged files are only one side of the merge. */
function refuseUnmerged(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  const unmerged = entries.filter(({ isUnmerged }) => isUnmerged).map((entry) => printable(entry.path));
  if (unmerged.length === 0) return entries;
  const [first = ''] = unmerged;
  const more = unmerged.length === 1 ? '' : ` and ${unmerged.length - 1} more`;
  throw new Failure('git-failed', {
    message: `A merge left conflicts in "${first}"${more}, so the staged files are not complete.`,
    where: { file: first },
    hint: 'Resolve the conflicts and run `git add` for these files. To review the files on disk before that, use --working-tree.',
  });
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

/** The mode of a file that is not on disk. */
const goneMode = '000000';

/**
 * The modes on disk of those files of the index that were deleted, that became a symbolic link, or that were one before. A
 * deleted file has `goneMode`. So has a file with a folder in its place, or whose folder is now a link. Compares no content. Throws Failure 'git-failed'.
 */
async function changedModes(
  place: GitPlace,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const options = ['--raw', '-z', '--no-renames', '--ignore-submodules=dirty', '--diff-filter=DTU'];
  const fields = names((await runGit(place, ['diff-files', ...options], { signal })).stdout);
  const modes = new Map<string, string>();
  // `:<mode> <mode on disk> <oid> <oid> <letter>\0<path>\0`; a conflict has a record for our side, too.
  for (let at = 0; at + 1 < fields.length; at += 2)
    modes.set(fields[at + 1] ?? '', fields[at]?.split(' ')[1] ?? goneMode);
  return modes;
}
