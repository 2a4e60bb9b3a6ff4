import path from 'node:path';
import { selectFiles } from '../git/select-files.ts';
import { openWorkCopy } from '../git/work-copy.ts';
import { Failure } from '../model/failure.ts';
import type { ProjectSource } from './project-files.ts';

/**
 * Files of the project that are new, changed or gone on disk since the commit that is published, and so are not part of
 * what is published. Nothing where another commit than the checked-out one is published, or no work tree is there.
 */
export async function uncommittedFiles(
  { repository, directory, commit, include, exclude = [] }: ProjectSource,
  {
    environment,
    signal,
  }: { readonly environment: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<string[]> {
  try {
    const place = path.join(repository.root, directory);
    const onDisk = await openWorkCopy(place, 'working-tree', { environment, signal });
    if (onDisk.commit !== (await repository.resolveCommit(commit, { signal }))) return [];
    const changed = (await onDisk.changedSince(onDisk.commit)).map(({ path: file }) => ({
      path: file,
      mode: '',
      type: 'blob' as const,
      oid: '',
      size: 0,
    }));
    return selectFiles(changed, { include, exclude }, directory).map(({ name }) => name);
  } catch (error) {
    // A remark: nothing fails for it.
    if (error instanceof Failure && !signal.aborted) return [];
    throw error;
  }
}

/** The same in a sentence; undefined where there is nothing to say. */
export function sayUncommitted(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const shown = files.slice(0, 5).join(', ');
  const more = files.length > 5 ? ` and ${String(files.length - 5)} more` : '';
  return `What is published comes from the commit; changes that are not committed are left out: ${shown}${more}.`;
}
