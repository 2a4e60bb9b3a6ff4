import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openRepository, type Repository, type RepositoryOptions } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * Opens `<gitRoot>/<ownerName>/<repositoryName>`, bare or with a work tree, with or without the suffix `.git`.
 * `undefined` if it does not exist, or if a name would lead out of the folder.
 */
export async function openLinkedRepository(
  gitRoot: string,
  ownerName: string,
  repositoryName: string,
  options: RepositoryOptions,
): Promise<Repository | undefined> {
  if (!isPlainName(ownerName) || !isPlainName(repositoryName)) return undefined;
  const bare = repositoryName.replace(/\.git$/, '');
  const names = new Set([repositoryName, bare, `${bare}.git`].filter(isPlainName));
  for (const name of names) {
    const folder = await realpath(path.join(gitRoot, ownerName, name)).catch(() => undefined);
    if (folder === undefined) continue;
    const repository = await openRepository(folder, options).catch((error: unknown) => {
      // With a cause, git could not be started; without one, git reported that this is not a repository.
      if (error instanceof Failure && error.cause === undefined) return undefined;
      throw error;
    });
    // If the folder is not a repository, git finds one in a parent folder, which is not the linked one.
    if (repository?.root === folder) return repository;
  }
  return undefined;
}

/** Whether a name is a single path segment: no separator, no `..`, no control character. */
function isPlainName(name: string): boolean {
  return /^[^/\\\p{Cc}]+$/u.test(name) && name !== '.' && name !== '..';
}
