import { defaultMaxBytes } from './objects/blob-reader.ts';
import type { ChangedFile } from './objects/changed-file.ts';
import type { Repository } from './repository.ts';
import type { BlobVisitor } from './objects/scan-blobs.ts';
import { isLink, type TreeEntry } from './objects/tree-entry.ts';

/** The files of a repository at one time: in a commit, in the index, or in the work tree. */
export interface Snapshot {
  readonly kind: 'commit' | 'staged' | 'working-tree';
  /** The commit. For the index and the work tree, it is HEAD; empty if there is no commit yet. */
  readonly commit: string;
  /** All files in a folder (`''` for all), sorted by path. Listed once. */
  list(under?: string): Promise<readonly TreeEntry[]>;
  /**
   * The content of files. The map omits missing files, and files that cannot be read or have more than `maxBytes`
   * (default 64 MB); for these `unread` has the reason. It also omits files that `accepts` refuses, which take no
   * memory. The content passed to `accepts` is valid only until it returns.
   */
  readFiles(
    paths: readonly string[],
    maxBytes?: number,
    accepts?: (content: Buffer) => boolean,
  ): Promise<Map<string, Buffer>>;
  /** Existing files that could not be read so far: by path, the reason as the end of a sentence. */
  readonly unread: ReadonlyMap<string, string>;
  /** Symbolic links among the files read so far, by path: their content is their target's name. */
  readonly links: ReadonlySet<string>;
  /** The changes since a commit, with renames. */
  changedSince(base: string): Promise<readonly ChangedFile[]>;
}

/** The files of a commit, which must be a full id. */
export function commitSnapshot(repository: Repository, commit: string, signal?: AbortSignal): Snapshot {
  let listed: Promise<readonly TreeEntry[]> | undefined;
  const all = () => (listed ??= repository.listTree(commit, { signal }));
  const unread = new Map<string, string>();
  const links = new Set<string>();
  return {
    kind: 'commit',
    commit,
    list: async (under = '') => inFolder(await all(), under),
    unread,
    links,
    async readFiles(paths, maxBytes, accepts) {
      const asked = new Set(paths);
      const entries = (await all()).filter(({ path, type }) => type === 'blob' && asked.has(path));
      for (const { path } of entries.filter(isLink)) links.add(path);
      const scan = (oids: readonly string[], visit: BlobVisitor) =>
        repository.scanBlobs(oids, visit, { signal });
      return readEntries(scan, entries, { unread, maxBytes, accepts });
    },
    changedSince: (base) => repository.changedFiles(base, commit, { signal }),
  };
}

/** The reason in `unread` for a file above the limit. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than ${maxBytes / 1024 / 1024} MiB`;
}

/** The options of `Snapshot.readFiles`. */
export interface Reading {
  readonly unread: Map<string, string>;
  readonly maxBytes: number | undefined;
  readonly accepts: ((content: Buffer) => boolean) | undefined;
}

/** Reads many files in one scan of their blobs. */
export async function readEntries(
  scan: (oids: readonly string[], visit: BlobVisitor) => Promise<void>,
  entries: readonly TreeEntry[],
  { unread, maxBytes = defaultMaxBytes, accepts = () => true }: Reading,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  let cut = Buffer.alloc(0);
  let filled = 0;
  const visit: BlobVisitor = (nth, chunk, bytes) => {
    const { path = '' } = entries[nth] ?? {};
    if (bytes > maxBytes) unread.set(path, tooLarge(maxBytes));
    else if (chunk.length === bytes) {
      if (accepts(chunk)) contents.set(path, Buffer.from(chunk));
    } else {
      if (filled === 0) cut = Buffer.allocUnsafeSlow(bytes);
      filled += chunk.copy(cut, filled);
      if (filled < bytes) return;
      filled = 0;
      if (accepts(cut)) contents.set(path, cut);
    }
  };
  await scan(
    entries.map(({ oid }) => oid),
    visit,
  );
  return contents;
}

/** The entries in a folder; all entries for the root. */
export function inFolder(entries: readonly TreeEntry[], folder: string): readonly TreeEntry[] {
  return folder === '' ? entries : entries.filter(({ path }) => path.startsWith(`${folder}/`));
}
