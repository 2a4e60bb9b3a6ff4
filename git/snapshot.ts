import { type BlobReader, defaultMaxBytes } from './blob-reader.ts';
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
  /**
   * The content of files. One that is not there is left out of the map, and so is one that cannot be read or has more
   * than `maxBytes` (64 MB where not given): `unread` then says why.
   */
  readFiles(paths: readonly string[], maxBytes?: number): Promise<Map<string, Buffer>>;
  /** Files that are there and could not be read so far: the reason as the end of a sentence, by path. */
  readonly unread: ReadonlyMap<string, string>;
  /** What differs from a commit, renames found. */
  changedSince(base: string): Promise<readonly ChangedFile[]>;
}

/** The files of a commit, which must be a full id. */
export function commitSnapshot(repository: Repository, commit: string, signal?: AbortSignal): Snapshot {
  let listed: Promise<readonly TreeEntry[]> | undefined;
  const all = () => (listed ??= repository.listTree(commit, { signal }));
  const unread = new Map<string, string>();
  return {
    kind: 'commit',
    commit,
    list: async (under = '') => inFolder(await all(), under),
    unread,
    async readFiles(paths, maxBytes) {
      const wanted = new Set(paths);
      const entries = (await all()).filter(({ path, type }) => type === 'blob' && wanted.has(path));
      await using reader = repository.openBlobReader({ signal });
      return await readEntries(reader, entries, unread, maxBytes);
    },
    changedSince: (base) => repository.changedFiles(base, commit, { signal }),
  };
}

/** What `unread` says of a file with too many bytes. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than ${maxBytes / 1024 / 1024} MB`;
}

/** Reads many files at a time; what is too large goes to `unread`. */
export async function readEntries(
  reader: BlobReader,
  entries: readonly TreeEntry[],
  unread: Map<string, string>,
  maxBytes: number = defaultMaxBytes,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  await Promise.all(
    entries.map(async ({ path, oid }) => {
      const content = await reader.readWithin(oid, maxBytes);
      if (content === undefined) unread.set(path, tooLarge(maxBytes));
      else contents.set(path, content);
    }),
  );
  return contents;
}

/** The entries in a folder; all of them for the root. */
export function inFolder(entries: readonly TreeEntry[], folder: string): readonly TreeEntry[] {
  return folder === '' ? entries : entries.filter(({ path }) => path.startsWith(`${folder}/`));
}
