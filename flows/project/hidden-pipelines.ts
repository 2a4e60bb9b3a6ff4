import { type FileSelection, hiddenFiles, type SelectedFile } from '../../lib/git/select-files.ts';
import type { TreeEntry } from '../../lib/git/tree-entry.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';

/** Pipelines of a project that `files.include` does not match, only because a name in their path begins with a dot. */
export function hiddenPipelines(
  entries: readonly TreeEntry[],
  selection: FileSelection,
  directory: string,
): readonly SelectedFile[] {
  return hiddenFiles(entries, selection, directory).filter(({ path }) => kindOf(path) !== undefined);
}

/** The warning about pipelines that the default globs leave out. */
export function describeHiddenPipelines(hidden: readonly SelectedFile[]): string {
  const shown = hidden.slice(0, 5).map(({ name }) => name);
  const more = hidden.length > shown.length ? ` and ${String(hidden.length - shown.length)} more` : '';
  return `These pipelines are left out, because a name in their path begins with a dot: ${shown.join(', ')}${more}. To publish them, add them to files.include in millrace.yaml.`;
}
