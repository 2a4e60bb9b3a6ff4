import { type FileSelection, selectFiles } from '../../lib/git/select-files.ts';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { resolveNames } from '../../lib/core/files/resolve-names.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';

export interface FileChoice {
  /** The folder that the names are relative to. */
  readonly cwd: string;
  /** The root of the repository. */
  readonly root: string;
  /** The project's folder in the repository. */
  readonly directory: string;
  /** All files of the commit, index or work tree under review. */
  readonly entries: readonly TreeEntry[];
  readonly selection: FileSelection;
}

/**
 * Resolves files, folders and globs, relative to the current folder, to file paths relative to the repository's root.
 * - A file name means that file.
 * - A folder means the pipelines in it; a glob means the pipelines that match or are in a matching folder. Both only
 *   find pipelines that `files` in millrace.yaml selects.
 * - A name that does not exist from the current folder is tried from the repository's root, as other tools print it.
 * - A name that does not exist at all is returned unchanged.
 * Throws Failure 'usage' for a folder or glob without a pipeline.
 */
export function resolveFileArguments(
  names: readonly string[],
  { cwd, root, directory, entries, selection }: FileChoice,
): Promise<readonly string[]> {
  const paths = entries.map((entry) => entry.path);
  const candidates = selectFiles(entries, selection, directory)
    .map((entry) => entry.path)
    .filter((name) => kindOf(name) !== undefined);
  const hint =
    'Give a path from the current folder. A folder or glob finds only the .orch.yaml and .tran.yaml files that files.include and files.exclude in millrace.yaml select.';
  return resolveNames(names, { cwd, root, paths, candidates, what: 'pipeline', hint });
}
