import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of the project around a folder: the nearest one upwards that holds `millrace.yaml`, up to the root of the
 * repository; the folder itself where none does, or where no repository is around it. A repository of another user is
 * not looked at: who planted it further up would choose the project.
 */
export function projectFolder(start: string): string {
  const owner = ownerOf(start);
  let found: string | undefined;
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (found === undefined && existsSync(path.join(folder, 'millrace.yaml'))) found = folder;
    if (ownerOf(path.join(folder, '.git')) !== undefined)
      return ownerOf(folder) === owner ? (found ?? start) : start;
    if (path.dirname(folder) === folder) return start;
  }
}

/** Whether a folder is inside a git repository, to look at: git may still refuse it. */
export function isInRepository(start: string): boolean {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (ownerOf(path.join(folder, '.git')) !== undefined) return true;
    if (path.dirname(folder) === folder) return false;
  }
}

function ownerOf(place: string): number | undefined {
  return lstatSync(place, { throwIfNoEntry: false })?.uid;
}
