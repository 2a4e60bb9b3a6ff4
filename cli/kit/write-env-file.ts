import { open, rename, rm, stat } from 'node:fs/promises';

/**
 * Writes variables as `NAME=value` lines that nobody else on the machine can read: they hold a token. The file is
 * whole or not there, also on a full disk. Rejects with the file system's error.
 */
export async function writeEnvFile(
  file: string,
  variables: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const text = variables.map(([name, value]) => `${name}=${value}\n`).join('');
  const there = await stat(file).catch(() => undefined);
  // A pipe or a device is written to; only a file can be replaced.
  if (there !== undefined && !there.isFile()) return put(file, 'w', text);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    // A new file: the mode of one that is there already would stay as it is.
    await put(draft, 'wx', text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function put(file: string, flags: 'w' | 'wx', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
    // A full disk may show only here.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
