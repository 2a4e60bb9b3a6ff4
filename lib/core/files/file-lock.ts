import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/** A lock on a file that this process has. */
export interface FileLock {
  /** May be called again. */
  release(): void;
}

/**
 * Locks a file that is only used as a lock; it is created if it does not exist. Undefined while another process, or
 * another part of this one, has the lock. The operating system manages the lock, through SQLite: it ends with its
 * process, even after a crash, so it is never left behind.
 */
export function tryFileLock(file: string): FileLock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => void (database.isOpen && database.close()) };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined;
    throw error;
  }
}
