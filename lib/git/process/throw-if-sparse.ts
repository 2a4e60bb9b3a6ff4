import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../core/errors/failure.ts';

/**
 * For a failure of git while files were looked for that a sparse check-out leaves out. Returns if no file can be left out: outside of a
 * repository, or without patterns of a sparse check-out. Otherwise throws Failure 'git-failed': without these files a result could be
 * better than it should be. Throws every other error as it is.
 */
export function throwIfSparse(error: unknown, directory: string, signal: AbortSignal | undefined): void {
  const isGit = error instanceof Failure && error.code === 'git-failed';
  if (!isGit || signal?.aborted === true) throw error;
  if (!hasSparsePatterns(directory)) return;
  throw new Failure('git-failed', {
    message: `The check-out is sparse, and git could not read what it leaves out: ${error.message}`,
    hint: error.hint,
    cause: error,
  });
}

/** Whether the git folder of a directory has patterns of a sparse check-out, active or not. Git itself is not asked. */
function hasSparsePatterns(directory: string): boolean {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats !== undefined)
      return existsSync(path.join(gitFolder(git, stats.isFile()), 'info/sparse-checkout'));
    if (path.dirname(folder) === folder) return false;
  }
}

/** In a linked work tree or a submodule, `.git` is a file that names the git folder. */
function gitFolder(git: string, isFile: boolean): string {
  if (!isFile) return git;
  const named = /^gitdir: (.*)$/m.exec(readFileSync(git, 'utf8'))?.[1];
  return named === undefined ? git : path.resolve(path.dirname(git), named);
}
