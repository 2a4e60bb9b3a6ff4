import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { notOpened, WarehouseNotOpened } from './not-opened.ts';

const openFiles = new Set<string>();

/**
 * Locks a database file so that this process cannot open it twice, which DuckDB would allow and which would damage
 * the file. DuckDB itself locks the file against other processes, and the operating system releases that lock when
 * the process ends.
 */
export async function lockFile(file: string): Promise<Disposable & { readonly path: string }> {
  const path = await realPathOf(file);
  if (openFiles.has(path))
    throw new WarehouseNotOpened(`the database file ${basename(file)} is already open in this process`);
  openFiles.add(path);
  return { path, [Symbol.dispose]: () => void openFiles.delete(path) };
}

/** Follows symbolic links, also for a file that does not exist yet. */
async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return join(await realFolderOf(file), basename(file));
  }
}

async function realFolderOf(file: string): Promise<string> {
  try {
    return await realpath(dirname(file));
  } catch (error) {
    throw notOpened(basename(file), error);
  }
}
