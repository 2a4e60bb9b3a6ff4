import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * The root of the repository that contains a folder of the workspace; undefined if there is none. A repository
 * above the workspace does not count.
 */
export async function repositoryFolder(path: string, workspace: string): Promise<string | undefined> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (folder === resolve(workspace) || dirname(folder) === folder) return undefined;
  }
}

export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
