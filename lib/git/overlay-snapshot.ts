import type { Snapshot } from './snapshot.ts';

/** A snapshot in which some of its files have another content. What changed since a commit is told as before. */
export function overlaySnapshot(snapshot: Snapshot, contents: ReadonlyMap<string, Buffer>): Snapshot {
  return {
    ...snapshot,
    async readFiles(paths, maxBytes, wanted) {
      const below = await snapshot.readFiles(
        paths.filter((path) => !contents.has(path)),
        maxBytes,
        wanted,
      );
      for (const path of paths) {
        const content = contents.get(path);
        if (content !== undefined && wanted?.(content) !== false) below.set(path, content);
      }
      return below;
    },
  };
}
