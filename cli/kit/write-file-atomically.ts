import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file that is whole or as it was before, also on a full disk. Rejects with the file system's error. */
export async function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // A file that is replaced keeps its permissions.
  const mode = (await stat(file).catch(() => undefined))?.mode;
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
