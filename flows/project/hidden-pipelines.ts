import { type FileSelection, hiddenFiles, type SelectedFile } from '../../lib/git/select-files.ts';
import type { TreeEntry } from '../../lib/git/tree-entry.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';

/** Pipelines of a project that `files.include` does not take, only because a name on the way to them begins with a dot. */
export function hiddenPipelines(
  entries: readonly TreeEntry[],
  selection: FileSelection,
  directory: string,
): readonly SelectedFile[] {
  return hiddenFiles(entries, selection, directory).filter(({ path }) => kindOf(path) !== undefined);
}

/** What a default leaves out is said: nobody wrote it down. */
export function describeHiddenPipelines(hidden: readonly SelectedFile[]): string {
  const shown = hidden.slice(0, 5).map(({ name }) => name);
  const more = hidden.length > shown.length ? ` and ${String(hidden.length - shown.length)} more` : '';
  return `Pipelines are left out, because a name begins with a dot and files.include does not name it: ${shown.join(', ')}${more}.`;
}
