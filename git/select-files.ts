import { compileGlob } from '../model/glob.ts';
import type { TreeEntry } from './tree-entry.ts';

/** Which files of a project count: the globs of `files` in millrace.yaml, relative to the project. */
export interface FileSelection {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

/** A tree entry and its name inside the project: what the platform calls it (spec §4.3). */
export interface SelectedFile extends TreeEntry {
  readonly name: string;
}

/**
 * The entries that lie in the project (`prefix`, the repository's root where it is empty) and fit a glob, sorted
 * by name. Submodules and links are selected too, so that they can be refused by name and are not lost unsaid.
 */
export function selectFiles(
  entries: readonly TreeEntry[],
  selection: FileSelection,
  prefix = '',
): SelectedFile[] {
  const folder = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  const included = selection.include.map((glob) => compileGlob(glob));
  const excluded = (selection.exclude ?? []).map((glob) => compileGlob(glob));
  return entries
    .filter(({ path }) => path.startsWith(folder))
    .map((entry) => ({ ...entry, name: entry.path.slice(folder.length) }))
    .filter(({ name }) => included.some((fits) => fits(name)) && !excluded.some((fits) => fits(name)))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
