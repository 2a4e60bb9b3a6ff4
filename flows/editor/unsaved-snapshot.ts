import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { ChangedFile } from '../../lib/git/objects/changed-file.ts';
import { overlaySnapshot } from '../../lib/git/overlay-snapshot.ts';
import { type Snapshot, tooLarge } from '../../lib/git/snapshot.ts';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import type { OpenFile } from './open-file.ts';

/** The work tree as if every open file were saved. Reading stops with the signal's reason when the signal aborts. */
export function unsavedSnapshot(
  snapshot: Snapshot,
  open: readonly OpenFile[],
  signal: AbortSignal,
): Snapshot {
  const contents = new Map(
    open.flatMap(({ path, text }) => (text === undefined ? [] : [[path, Buffer.from(text)] as const])),
  );
  const large = new Set(open.flatMap(({ path, text }) => (text === undefined ? [path] : [])));
  const unread = new Map<string, string>();
  const overlay = overlaySnapshot(snapshot, contents);
  const list = async (under = ''): Promise<readonly TreeEntry[]> => {
    const listed = await snapshot.list(under);
    const paths = new Set(listed.map(({ path }) => path));
    const added = open.filter(({ path, isNew }) => isNew && !paths.has(path) && isIn(path, under));
    if (added.length === 0) return listed;
    const entries = added.map(({ path }): TreeEntry => ({ path, mode: '100644', type: 'blob', oid: '' }));
    return [...listed, ...entries].toSorted((a, b) => compareTexts(a.path, b.path));
  };
  return {
    ...overlay,
    list,
    unread,
    async readFiles(paths, maxBytes, selection) {
      signal.throwIfAborted();
      const read = await overlay.readFiles(
        paths.filter((path) => !large.has(path)),
        maxBytes,
        selection,
      );
      for (const path of paths) {
        const reason = large.has(path) ? tooLarge(maxPipelineBytes) : snapshot.unread.get(path);
        if (reason !== undefined) unread.set(path, reason);
      }
      return read;
    },
    async changedSince(base) {
      const changed = await snapshot.changedSince(base);
      return [...changed, ...(await changedInEditor(snapshot, open, new Set(changed.map(pathOf))))];
    },
  };
}

/** Open files whose text differs from that on disk, without those that are known to have changed. */
async function changedInEditor(
  snapshot: Snapshot,
  open: readonly OpenFile[],
  changedPaths: ReadonlySet<string>,
): Promise<readonly ChangedFile[]> {
  const others = open.filter(({ path }) => !changedPaths.has(path));
  const saved = await snapshot.readFiles(others.map(pathOf), maxPipelineBytes);
  return others.flatMap(({ path, text, isNew }): ChangedFile[] => {
    if (isNew) return [{ status: 'added', path }];
    const isSaved = text !== undefined && saved.get(path)?.equals(Buffer.from(text)) === true;
    return isSaved ? [] : [{ status: 'modified', path }];
  });
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}
