import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes) return undefined;
    folder = mkdtempSync(join(memory, 'millrace-test-'));
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
