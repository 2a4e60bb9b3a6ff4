import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openRepository, type Repository, type RepositoryOptions } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/failure.ts';

/**
 * Opens `<gitRoot>/<ownerName>/<repositoryName>`, bare or with a work tree, with or without `.git` at the end of its
 * name. Nothing where there is none, or where a name would lead out of the folder.
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
      // With a cause, git could not even be started; without, it said that this is no repository.
      if (error instanceof Failure && error.cause === undefined) return undefined;
      throw error;
    });
    // Git looks further up where the folder itself is no repository: that one is not linked.
    if (repository?.root === folder) return repository;
  }
  return undefined;
}

/** One step down and nothing else: no separator, no way up, no control character. */
function isPlainName(name: string): boolean {
  return /^[^/\\\p{Cc}]+$/u.test(name) && name !== '.' && name !== '..';
}
