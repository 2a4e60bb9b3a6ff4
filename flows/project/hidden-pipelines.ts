import {
  type FileSelection,
  hiddenFiles,
  type SelectedFile,
  selectFiles,
} from '../../lib/git/select-files.ts';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { intendedName, kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';

/** The pipelines of a project that `files.include` only misses because a name in their path begins with a dot. */
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

/** A file that was probably meant as a pipeline, but whose name has the wrong suffix. */
export interface MisnamedPipeline {
  /** Relative to the repository. */
  readonly path: string;
  /** The name that makes it a pipeline, relative to the repository. */
  readonly intended: string;
}

/** Files such as `load.orch.yml`, which `files` would select as pipelines if their suffix were right. */
export function misnamedPipelines(
  entries: readonly TreeEntry[],
  { include, exclude = [] }: FileSelection,
  directory: string,
): readonly MisnamedPipeline[] {
  const misnamed = entries.flatMap((entry) => {
    const intended = intendedName(entry.path);
    return intended === undefined ? [] : [{ ...entry, path: intended, written: entry.path }];
  });
  if (misnamed.length === 0) return [];
  const isExcluded = (path: string) =>
    exclude.length > 0 && selectFiles([{ path }], { include: exclude }, directory).length > 0;
  return selectFiles(misnamed, { include, exclude }, directory)
    .map(({ path, written }) => ({ path: written, intended: path }))
    .filter(({ path }) => !isExcluded(path));
}

/** The warning about files whose names have the wrong suffix. */
export function describeMisnamedPipelines(misnamed: readonly MisnamedPipeline[]): string {
  const shown = misnamed.slice(0, 5).map(({ path }) => path);
  const more = misnamed.length > shown.length ? ` and ${String(misnamed.length - shown.length)} more` : '';
  return `These files are left out as pipelines, because the name of a pipeline must end in .orch.yaml or .tran.yaml: ${shown.join(', ')}${more}. Rename them.`;
}
