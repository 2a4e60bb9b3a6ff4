import type { Snapshot } from './snapshot.ts';

/** A snapshot with other content for some of its files. `changedSince` is unchanged. */
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
