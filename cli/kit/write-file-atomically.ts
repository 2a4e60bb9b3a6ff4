import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file that is whole or as it was before, also on a full disk. Writes through a link, and to a pipe or a device as it is: those are
 * never replaced. Rejects with the file system's error.
 */
export async function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile()) return writeFile(file, content);
  const target = await linkedFile(file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    // A file that is replaced keeps its permissions.
    await writeFile(temporary, content, { flag: 'wx', ...(found === undefined ? {} : { mode: found.mode }) });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The file that a link names, which is replaced in place of the link; otherwise the file itself. */
export async function linkedFile(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
