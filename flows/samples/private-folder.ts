import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

const prefix = 'millrace-samples-';
/** The file with the process that made the folder. */
const owner = 'owner.json';

/**
 * Creates a folder for rows of samples that only this user can read. It is removed when it is disposed of, and on
 * `process.exit`. Folders that killed processes left are removed too.
 */
export function openPrivateFolder(temporary = tmpdir()): Disposable & { readonly path: string } {
  removeAbandoned(temporary);
  // The mode of such a folder is 0700.
  const folder = realpathSync(mkdtempSync(path.join(temporary, prefix)));
  writeFileSync(path.join(folder, owner), JSON.stringify({ host: hostname(), pid: process.pid }));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    path: folder,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}

function removeAbandoned(temporary: string): void {
  for (const name of readdirSync(temporary)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(temporary, name);
    try {
      const { host, pid } = JSON.parse(readFileSync(path.join(folder, owner), 'utf8')) as {
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
