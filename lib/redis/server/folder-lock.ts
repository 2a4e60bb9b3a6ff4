import { join } from 'node:path';
import { type FileLock, tryFileLock } from '../../core/files/file-lock.ts';
import type { Clock } from '../../core/ports/ports.ts';

/**
 * Runs `work` while no other process (and nothing else in this one) works on the folder. The lock ends with its process, even
 * after a crash.
 */
export async function withFolderLock<T>(
  folder: string,
  clock: Clock,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const file = join(folder, 'lock');
  let lock: FileLock | undefined;
  while ((lock = tryFileLock(file)) === undefined) await clock.sleep(20, signal);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
