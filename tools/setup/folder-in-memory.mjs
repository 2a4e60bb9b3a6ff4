import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const prefix = 'millrace-test-';

/**
 * A new folder in Linux's file system in memory, for the temporary files of tests: they make and remove thousands of small
 * files, and a disk takes a tenth of the time of all tests for that. Undefined where there is none, where it is
 * nearly full, or where programs cannot be started from it.
 *
 * @param memory where such a file system is
 * @param neededBytes what must be free there
 */
export function folderInMemory(memory = '/dev/shm', neededBytes = 2 ** 31) {
  let folder;
  try {
    removeLeftovers(memory);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes) return undefined;
    folder = mkdtempSync(join(memory, prefix));
    // Some tests start programs as another user, who must get to their folders.
    chmodSync(folder, 0o711);
    const program = join(folder, 'program');
    writeFileSync(program, '', { mode: 0o700 });
    accessSync(program, constants.X_OK);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** Longer than any run. Whether the process of a run still exists is not asked: it may be in another container. */
const leftOverMs = 86_400_000;

/** Removes the folders of runs that were killed and could not remove them. */
function removeLeftovers(memory) {
  for (const name of readdirSync(memory)) {
    const folder = join(memory, name);
    if (!name.startsWith(prefix)) continue;
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changedAt > leftOverMs) rmSync(folder, { recursive: true, force: true });
  }
}
