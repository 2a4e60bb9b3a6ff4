import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file that is whole or as it was before, also on a full disk. Rejects with the file system's error. */
export async function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // A file that is replaced keeps its permissions.
  const mode = (await stat(file).catch(() => undefined))?.mode;
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
