import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../core/errors/failure.ts';

/**
 * Call this if git fails while looking for files that a sparse check-out may leave out. Returns if no file can be
 * left out: outside of a repository, or in a check-out that is not sparse. Otherwise throws Failure 'git-failed',
 * because without these files a result could look better than it is. So does a `.git` that leads nowhere, because
 * the patterns of the sparse check-out are where it leads. Throws every other error as it is.
 */
export function throwIfSparse(error: unknown, directory: string, signal: AbortSignal | undefined): void {
  const isGit = error instanceof Failure && error.code === 'git-failed';
  if (!isGit || signal?.aborted === true) throw error;
  const git = gitFolderOf(directory);
  if (git === undefined) return;
  if (git === 'nowhere')
    throw new Failure('git-failed', {
      message: `The folder of the git repository does not exist, so Millrace does not know which files a sparse check-out leaves out: ${error.message}`,
      hint: 'The file .git names this folder. Make the folder available here, or use a separate clone.',
      cause: error,
    });
  if (!hasSparsePatterns(git)) return;
  throw new Failure('git-failed', {
    message: `The check-out is sparse, and git could not read what it leaves out: ${error.message}`,
    hint: error.hint,
    cause: error,
  });
}

/**
 * Throws Failure 'git-failed' for a sparse check-out without an index: git would list no files, as if none were
 * left out. A repository without a commit may have no index. `indexFile`: the index that a hook gives
 * (`GIT_INDEX_FILE`).
 */
export function refuseMissingIndex(directory: string, indexFile: string | undefined): void {
  const git = gitFolderOf(directory);
  if (git === undefined || git === 'nowhere' || !hasSparsePatterns(git)) return;
  if (indexFile !== undefined || existsSync(path.join(git, 'index'))) return;
  if (!existsSync(path.join(git, 'logs/HEAD'))) return;
  throw new Failure('git-failed', {
    message: 'Git’s index does not exist, so Millrace does not know which files are left out.',
    hint: 'Run `git reset` to make the index again, then `git sparse-checkout reapply`.',
  });
}

/** Whether a git folder has patterns of a sparse check-out, active or not. Git itself is not asked. */
function hasSparsePatterns(git: string): boolean {
  return existsSync(path.join(git, 'info/sparse-checkout'));
}

/** The git folder of a directory, or that its `.git` leads nowhere; undefined outside of a repository. */
function gitFolderOf(directory: string): string | undefined {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    if (lstatSync(git, { throwIfNoEntry: false }) !== undefined) return gitFolder(git) ?? 'nowhere';
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** In a linked work tree or a submodule, `.git` is a file that names the git folder. */
function gitFolder(git: string): string | undefined {
  const found = statSync(git, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return found === undefined ? undefined : git;
  const named = /^gitdir: (.*)$/m.exec(readFileSync(git, 'utf8'))?.[1];
  const folder = named === undefined ? undefined : path.resolve(path.dirname(git), named);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
