import { selectFiles } from '../../lib/git/select-files.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { ProjectSource } from './project-files.ts';

/**
 * Files of the project that were added, changed or deleted on disk since the published commit, so that these
 * changes are not published. Empty if the published commit is not checked out, or if there is no work tree.
 */
export async function uncommittedFiles(
  { repository, directory, commit, include, exclude = [] }: ProjectSource,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const [{ head, changed }, published] = await Promise.all([
      repository.changedOnDisk({ signal }),
      repository.resolveCommit(commit, { signal }),
    ]);
    if (head !== published) return [];
    const entries = changed.map((path) => ({ path, mode: '', type: 'blob' as const, oid: '' }));
    return selectFiles(entries, { include, exclude }, directory).map(({ name }) => name);
  } catch (error) {
    // This only serves a warning, so a failure is ignored.
    if (error instanceof Failure && !signal.aborted) return [];
    throw error;
  }
}

/** The warning about these files; `undefined` if there are none. */
export function describeUncommitted(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const shown = files.slice(0, 5).join(', ');
  const more = files.length > 5 ? ` and ${String(files.length - 5)} more` : '';
  return `Files are published from the commit. Uncommitted changes are left out: ${shown}${more}.`;
}
