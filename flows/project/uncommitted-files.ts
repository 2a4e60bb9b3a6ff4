import { selectFiles } from '../../lib/git/select-files.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { ProjectSource } from './project-files.ts';

/**
 * Files of the project that are new, changed or gone on disk since the commit that is published, and so are not part of
 * what is published. Nothing where another commit than the checked-out one is published, or no work tree is there.
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
    // A remark: nothing fails for it.
    if (error instanceof Failure && !signal.aborted) return [];
    throw error;
  }
}

/** The same in a sentence; undefined where there is nothing to say. */
export function describeUncommitted(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const shown = files.slice(0, 5).join(', ');
  const more = files.length > 5 ? ` and ${String(files.length - 5)} more` : '';
  return `What is published comes from the commit; changes that are not committed are left out: ${shown}${more}.`;
}
