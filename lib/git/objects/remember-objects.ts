import type { BlobVisitor } from './scan-blobs.ts';
import type { TreeEntry } from './tree-entry.ts';

/** A review reads at most the reviewed commit, the base, their merge base and one more. */
const maxTrees = 4;
/** Settings, rules and lists, which several parts of a review read. */
const maxBlobBytes = 65_536;
const maxBlobs = 32;
/** Larger scans read pipelines and scripts, once. */
const maxScan = 4;

type ListTree = (commit: string, signal: AbortSignal | undefined) => Promise<TreeEntry[]>;

/**
 * Caches the whole tree of each commit, because an id always means the same commit, and each listing starts a git
 * process.
 */
export function rememberTrees(list: ListTree): ListTree {
  const trees = new Map<string, Promise<TreeEntry[]>>();
  return async (commit, signal) => {
    const cached = trees.get(commit);
    if (cached !== undefined) return cached;
    const listed = list(commit, signal);
    trees.set(commit, listed);
    const [oldest] = trees.keys();
    if (trees.size > maxTrees && oldest !== undefined) trees.delete(oldest);
    try {
      return await listed;
    } catch (error) {
      if (trees.get(commit) === listed) trees.delete(commit);
      throw error;
    }
  };
}

type ScanBlobs = (
  oids: readonly string[],
  visit: BlobVisitor,
  signal: AbortSignal | undefined,
) => Promise<void>;

/** Caches the small blobs of small scans, for the same reason. */
export function rememberBlobs(scan: ScanBlobs): ScanBlobs {
  const blobs = new Map<string, Buffer>();
  return async (oids, visit, signal) => {
    if (oids.length > maxScan) return scan(oids, visit, signal);
    signal?.throwIfAborted();
    const cached = oids.flatMap((oid) => blobs.get(oid) ?? []);
    if (cached.length === oids.length) {
      for (const [nth, blob] of cached.entries()) visit(nth, blob, blob.length);
      return;
    }
    await scan(
      oids,
      (nth, part, bytes) => {
        const oid = oids[nth];
        // A small blob usually comes in one chunk.
        if (oid !== undefined && part.length === bytes && bytes <= maxBlobBytes) {
          blobs.set(oid, Buffer.from(part));
          const [oldest] = blobs.keys();
          if (blobs.size > maxBlobs && oldest !== undefined) blobs.delete(oldest);
        }
        visit(nth, part, bytes);
      },
      signal,
    );
  };
}
