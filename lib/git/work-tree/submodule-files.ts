import { readdirSync } from 'node:fs';
import path from 'node:path';
import { openPlace } from '../process/open-place.ts';
import { openWorkCopy } from './work-copy.ts';

interface Cancel {
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The files of a submodule and of its own submodules, relative to its folder, without ignored files. Undefined if a
 * file on disk differs from the commit, even if git is set to overlook that (`ignore` in `.gitmodules`,
 * assume-unchanged, skip-worktree), or if git cannot tell. Empty for a submodule that is not checked out.
 * @param commit a full id
 */
export async function unchangedSubmoduleFiles(
  folder: string,
  commit: string,
  { environment, signal }: Cancel,
): Promise<ReadonlySet<string> | undefined> {
  if (!hasFiles(folder)) return new Set();
  // A hook's index is the one of the outer repository.
  const own = environment === undefined ? {} : { environment: { ...environment, GIT_INDEX_FILE: undefined } };
  try {
    // Without a `.git` of its own, git takes the folder for a part of the outer repository.
    if ((await openPlace(folder, own.environment, signal)).prefix !== '') return undefined;
    const disk = await openWorkCopy(folder, 'working-tree', { ...own, signal });
    const [changes, entries] = await Promise.all([disk.changedSince(commit), disk.list()]);
    if (changes.length > 0) return undefined;
    const files = new Set<string>();
    for (const { path: name, type, oid } of entries) {
      if (type !== 'commit') {
        files.add(name);
        continue;
      }
      const nested = await unchangedSubmoduleFiles(path.join(folder, name), oid, { environment, signal });
      if (nested === undefined) return undefined;
      for (const file of nested) files.add(`${name}/${file}`);
    }
    return files;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
