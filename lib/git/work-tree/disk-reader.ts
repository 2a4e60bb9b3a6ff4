import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { tooLarge } from '../snapshot.ts';

/** The content of a file in the work tree, or the reason why it cannot be read, as the end of a sentence. */
export type DiskReader = (name: string, maxBytes: number) => Promise<Buffer | string>;

/**
 * Reads files under `root`, which must be a real path, and nothing outside of it. The content of a symbolic link is
 * its target's name, as in a commit, and its path is added to `links`; a folder that became a link is not followed.
 * Does not wait for pipes and other special files.
 */
export function diskReader(root: string, links: Set<string>): DiskReader {
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const real = folders.get(folder) ?? realpath(folder);
    folders.set(folder, real);
    return real;
  };
  return async (name, maxBytes) => {
    const file = path.join(root, name);
    try {
      const folder = await realFolder(path.dirname(file));
      if (folder !== root && !folder.startsWith(root + path.sep))
        return 'a symbolic link leads out of the repository';
      if ((await lstat(file)).isSymbolicLink()) {
        links.add(name);
        return Buffer.from(await readlink(file));
      }
      return await readRegular(file, maxBytes);
    } catch (error) {
      return reasonOf(error);
    }
  };
}

async function readRegular(file: string, maxBytes: number): Promise<Buffer | string> {
  // The opened file may differ from the checked one; a pipe without a writer would block for ever.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (!stat.isFile()) return 'it is not a regular file';
  return stat.size > maxBytes ? tooLarge(maxBytes) : await handle.readFile();
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it was deleted during the review'],
  ['ELOOP', 'it became a symbolic link during the review'],
  ['EISDIR', 'it is not a regular file'],
]);

/** The reason for errors of the file system; other errors are bugs and are thrown. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') throw error;
  return reasons.get(code) ?? code;
}
