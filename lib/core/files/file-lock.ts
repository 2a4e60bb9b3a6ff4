import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/** A lock on a file, which this process holds. */
export interface FileLock {
  /** May be called again. */
  release(): void;
}

/**
 * Locks a file that serves only as a lock, and is created if it does not exist; undefined while another process (or something
 * else in this one) has it. The operating system holds the lock, through SQLite: it ends with its process, even after a crash,
 * so it is never stale.
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
