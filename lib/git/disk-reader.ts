import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { tooLarge } from './snapshot.ts';

/** The content of a file of the work tree, or why it cannot be read, as the end of a sentence. */
export type DiskReader = (name: string, maxBytes: number) => Promise<Buffer | string>;

/**
 * Reads files under `root`, which must be a real path, and nothing outside of it: a symbolic link is its target's
 * name, as in a commit, and a folder that became a link is not followed. Its path is added to `links`. Pipes and the like are not waited for.
 */
export function diskReader(root: string, links: Set<string>): DiskReader {
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const known = folders.get(folder) ?? realpath(folder);
    folders.set(folder, known);
    return known;
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
  // What was looked at and what is opened may differ; a pipe that nobody writes to would block for ever.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (!stat.isFile()) return 'it is no regular file';
  return stat.size > maxBytes ? tooLarge(maxBytes) : await handle.readFile();
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it went away during the review'],
  ['ELOOP', 'it became a symbolic link during the review'],
  ['EISDIR', 'it is no regular file'],
]);

/** What the file system refuses is told of the file; anything else is a fault of ours. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') throw error;
  return reasons.get(code) ?? code;
}
