import { mkdir, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface WriteOptions {
  /** The permissions of the file; by default those that a replaced file had. */
  readonly mode?: number;
}

/**
 * Replaces a file so that it is always complete, with the old or the new content, even on a full disk. A symbolic
 * link stays, and its target is replaced. A pipe or a device is written to directly. Rejects with the file system's
 * error.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode }: WriteOptions = {},
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const existing = await stat(file).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return writeFile(file, content);
  const target = await linkedFile(file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode ?? existing?.mode);
    try {
      await handle.writeFile(content);
      // Some file systems report a full disk only on sync.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The target of a symbolic link, even if the target does not exist yet; for any other path, the path itself. */
export async function linkedFile(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const named = await readlink(file).catch(() => undefined);
    if (named === undefined) return file;
    const folder = await realpath(path.dirname(file)).catch(() => path.dirname(file));
    return path.resolve(folder, named);
  }
}
