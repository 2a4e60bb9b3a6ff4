import { messageOf } from '../../lib/core/errors/message-of.ts';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * Creates a folder for the platform's state, and its parent folders.
 * @throws Failure `storage-failed`, with the file that is in its place
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const file = fileInPlaceOf(folder);
    const reason = messageOf(error);
    throw new Failure('storage-failed', {
      message: `The platform cannot keep its state in ${folder}: ${file === undefined ? reason : `${file} is not a folder`}.`,
      where: { input: '--data' },
      cause: error,
      ...(file === undefined ? {} : { hint: 'Move this file to another place, or choose another folder.' }),
    });
  }
}

/** The folder itself or the nearest one above it, if it is a file. */
function fileInPlaceOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined) return stats.isDirectory() ? undefined : folder;
  return dirname(folder) === folder ? undefined : fileInPlaceOf(dirname(folder));
}
