import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../core/ports.ts';

const busy = 5;

/**
 * Runs `work` while no other process (and nothing else in this one) works on the folder. The operating system holds
 * the lock, through SQLite: the lock ends with its process, even after a crash, so it is never stale.
 */
export async function withFolderLock<T>(
  folder: string,
  clock: Clock,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    while (!tryLock(database)) await clock.sleep(20, signal);
    return await work();
  } finally {
    database.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}
