import { open, rename, rm, stat } from 'node:fs/promises';

/**
 * Writes variables as `NAME=value` lines. Only the owner can read the file: it contains a token. The file is complete or
 * absent, even on a full disk. Rejects with the file system's error.
 */
export async function writeEnvFile(
  file: string,
  variables: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const text = variables.map(([name, value]) => `${name}=${value}\n`).join('');
  const existing = await stat(file).catch(() => undefined);
  // Only a regular file can be replaced; a pipe or a device is written directly.
  if (existing !== undefined && !existing.isFile()) return writeAll(file, 'w', text);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    // Create a new file, because writing to an existing file keeps its mode.
    await writeAll(temporary, 'wx', text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(file: string, flags: 'w' | 'wx', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
    // Some file systems report a full disk only on sync.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
