import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';

/**
 * Finds the project that a folder belongs to: the nearest folder upwards with a `millrace.yaml`, otherwise the
 * folder itself. The search ends at the root of the repository; outside a repository, at the first folder of
 * another user. A file or a repository of another user is ignored: that user could otherwise choose the project.
 */
export function projectFolder(start: string): string {
  const owner = ownerOf(start);
  let nearest: string | undefined;
  let nearestOwn: string | undefined;
  let isOwn = true;
  for (let folder = start; ; folder = path.dirname(folder)) {
    isOwn &&= ownerOf(folder) === owner;
    const file = path.join(folder, 'millrace.yaml');
    if (nearest === undefined && existsSync(file)) {
      nearest = folder;
      if (isOwn && ownerOf(file) === owner) nearestOwn = folder;
    }
    if (ownerOf(path.join(folder, '.git')) !== undefined)
      return ownerOf(folder) === owner ? (nearest ?? start) : start;
    if (path.dirname(folder) === folder) return nearestOwn ?? start;
  }
}

/**
 * The last folder of the upward search for a project: the root of the repository; outside a repository, the last
 * folder before a folder of another user.
 */
export function highestFolder(start: string): string {
  const owner = ownerOf(start);
  let highest: string | undefined;
  for (let folder = start; ; folder = path.dirname(folder)) {
    const isOwn = ownerOf(folder) === owner;
    if (ownerOf(path.join(folder, '.git')) !== undefined) return isOwn ? folder : start;
    const above = path.dirname(folder);
    if (highest === undefined && (above === folder || ownerOf(above) !== owner)) highest = folder;
    if (above === folder) return highest ?? folder;
  }
}

/** Whether a folder looks like a part of a git repository. git itself may still refuse it. */
export function isInRepository(start: string): boolean {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (ownerOf(path.join(folder, '.git')) !== undefined) return true;
    if (path.dirname(folder) === folder) return false;
  }
}

function ownerOf(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.uid;
}
