import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * Reports changes in folders. A report may come late, twice, or without a change: the caller checks what has
 * changed.
 */
export interface FolderWatcher extends Disposable {
  /** Watches exactly these folders, relative to the root; returns whether it did not watch one of them before. */
  follow(folders: readonly string[]): boolean;
  /** Resolves at the next change, or at once if there was one since `clear`. Rejects with the signal's reason. */
  changed(signal: AbortSignal): Promise<void>;
  /** Whether there was a change since the last call. */
  clear(): boolean;
}

interface Watched {
  /** A folder that was replaced by another one of its name has another identity. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/** Watches folders instead of files, because editors replace a file by a new one with the same name. */
export function watchFolders(root: string): FolderWatcher {
  const watched = new Map<string, Watched>();
  let isDirty = false;
  let next = Promise.withResolvers<void>();
  const notice = () => {
    isDirty = true;
    next.resolve();
  };
  const drop = (folder: string) => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const add = (folder: string): boolean => {
    const place = path.join(root, folder);
    const identity = identityOf(place);
    if (watched.get(folder)?.identity === identity) return false;
    drop(folder);
    if (identity === undefined) return false;
    const watcher = openWatcher(place, notice);
    // A folder that was deleted: the next list of folders does not have it.
    watcher.on('error', notice);
    watched.set(folder, { identity, watcher });
    return true;
  };
  return {
    follow(folders) {
      const followed = new Set(folders);
      for (const folder of watched.keys()) if (!followed.has(folder)) drop(folder);
      return folders.map(add).includes(true);
    },
    async changed(signal) {
      const aborted = Promise.withResolvers<never>();
      const abort = () => aborted.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        await Promise.race([next.promise, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    clear() {
      const wasDirty = isDirty;
      isDirty = false;
      next = Promise.withResolvers<void>();
      return wasDirty;
    },
    [Symbol.dispose]() {
      for (const folder of watched.keys()) drop(folder);
    },
  };
}

/** Undefined without the folder. A system may use the number of a deleted folder again at once. */
function identityOf(place: string): string | undefined {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.birthtimeMs}`;
}

/** Throws Failure 'usage' at the limit of the system. */
function openWatcher(place: string, notice: () => void): FSWatcher {
  try {
    return watch(place, notice);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code !== 'ENOSPC' && code !== 'EMFILE') throw cause;
    throw new Failure('usage', {
      message: `Cannot watch the folder ${place}: the system allows no more watched folders.`,
      where: { input: '--watch' },
      hint: 'Raise the limit of the system (on Linux fs.inotify.max_user_watches), or run the command in a smaller project.',
      cause,
    });
  }
}
