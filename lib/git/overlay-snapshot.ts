import type { Snapshot } from './snapshot.ts';

/** A snapshot with other content for some of its files. `changedSince` is unchanged. */
export function overlaySnapshot(snapshot: Snapshot, contents: ReadonlyMap<string, Buffer>): Snapshot {
  return {
    ...snapshot,
    async readFiles(paths, maxBytes, accepts) {
      const below = await snapshot.readFiles(
        paths.filter((path) => !contents.has(path)),
        maxBytes,
        accepts,
      );
      for (const path of paths) {
        const content = contents.get(path);
        if (content !== undefined && accepts?.(content) !== false) below.set(path, content);
      }
      return below;
    },
  };
}
