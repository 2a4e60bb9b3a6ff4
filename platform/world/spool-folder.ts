import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const PREFIX = 'millrace-streaming-';
/** The file with the process that made the folder. */
const OWNER = 'owner.json';

/**
 * The folder for changes that wait for a warehouse. A platform in memory uses a temporary folder; folders of killed
 * platforms are removed.
 * @param data the folder of the platform's state, or `:memory:`
 */
export function spoolFolder(data: string, temporary = tmpdir()): string {
  if (data === ':memory:') {
    removeAbandoned(temporary);
    const folder = mkdtempSync(join(temporary, PREFIX));
    writeFileSync(join(folder, OWNER), JSON.stringify({ host: hostname(), pid: process.pid }));
    return folder;
  }
  const folder = join(data, 'streaming');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function removeAbandoned(temporary: string): void {
  for (const name of readdirSync(temporary)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(temporary, name);
    try {
      const { host, pid } = JSON.parse(readFileSync(join(folder, OWNER), 'utf8')) as {
        readonly host: string;
        readonly pid: number;
      };
      // Containers may share the folder, but not their processes.
      if (host === hostname() && !isRunning(pid)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is being made or removed, or belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
