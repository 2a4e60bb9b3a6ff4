import type { BlobReader } from './blob-reader.ts';
import type { ChangedFile } from './changed-file.ts';
import type { Repository } from './repository.ts';
import type { TreeEntry } from './tree-entry.ts';

/** The files of a repository at one moment: those of a commit, of the index, or of the work tree. */
export interface Snapshot {
  readonly kind: 'commit' | 'staged' | 'working-tree';
  /** The commit, or the one that index and work tree stand on; empty where there is none yet. */
  readonly commit: string;
  /** All files in a folder (`''` for all), sorted by path. Listed once. */
  list(under?: string): Promise<readonly TreeEntry[]>;
  /** The content of files; one that is not there is left out of the map. */
  readFiles(paths: readonly string[]): Promise<Map<string, Buffer>>;
  /** What differs from a commit, renames found. */
  changedSince(base: string): Promise<readonly ChangedFile[]>;
}

/** The files of a commit, which must be a full id. */
export function commitSnapshot(repository: Repository, commit: string, signal?: AbortSignal): Snapshot {
  let listed: Promise<readonly TreeEntry[]> | undefined;
  const all = () => (listed ??= repository.listTree(commit, { signal }));
  return {
    kind: 'commit',
    commit,
    list: async (under = '') => inFolder(await all(), under),
    async readFiles(paths) {
      const wanted = new Set(paths);
      const entries = (await all()).filter(({ path, type }) => type === 'blob' && wanted.has(path));
      await using reader = repository.openBlobReader({ signal });
      return await readEntries(reader, entries);
    },
    changedSince: (base) => repository.changedFiles(base, commit, { signal }),
  };
}

/** Reads many files at a time. */
export async function readEntries(
  reader: BlobReader,
  entries: readonly TreeEntry[],
): Promise<Map<string, Buffer>> {
  return new Map(
    await Promise.all(entries.map(async ({ path, oid }) => [path, await reader.read(oid)] as const)),
  );
}

/** The entries in a folder; all of them for the root. */
export function inFolder(entries: readonly TreeEntry[], folder: string): readonly TreeEntry[] {
  return folder === '' ? entries : entries.filter(({ path }) => path.startsWith(`${folder}/`));
}
