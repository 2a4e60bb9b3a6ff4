import { compareTexts } from '../core/text/compare-texts.ts';
import { compileGlob, type PathMatcher } from '../core/files/glob.ts';
import { isInPackages, packageFolder } from './package-folder.ts';
import type { TreeEntry } from './objects/tree-entry.ts';

/** The globs of `files` in millrace.yaml that select the files of a project, relative to the project. */
export interface FileSelection {
  readonly include: readonly string[];
  readonly exclude?: readonly string[] | undefined;
}

/** An entry and its name inside the project, which is its name on the platform (spec §4.3). */
type Named<Entry> = Entry & { readonly name: string };

export type SelectedFile = Named<TreeEntry>;

type File = Pick<TreeEntry, 'path'>;

/**
 * The entries in the project (`prefix`; the repository's root if it is empty) that match a glob, sorted by name.
 * Files of installed packages match only a glob that names their folder. Includes submodules and links, so that they are refused with their names instead of silently omitted.
 */
export function selectFiles<Entry extends File>(
  entries: readonly Entry[],
  { include, exclude = [] }: FileSelection,
  prefix = '',
): Named<Entry>[] {
  const [included, excluded] = [fitsAny(include), fitsAny(exclude)];
  return inProject(entries, prefix)
    .filter(({ name }) => included(name) && !excluded(name))
    .toSorted((a, b) => compareTexts(a.name, b.name));
}

/**
 * The entries that match no glob only because a name in their path begins with a dot. Entries that match `exclude`
 * are omitted on purpose and not included.
 */
export function hiddenFiles(
  entries: readonly TreeEntry[],
  { include, exclude = [] }: FileSelection,
  prefix = '',
): SelectedFile[] {
  const [included, excluded] = [fitsAny(include), fitsAny(exclude)];
  return inProject(entries, prefix).filter(({ name }) => {
    const plain = name.replaceAll(/(^|\/)\.+(?=[^/])/g, '$1');
    return plain !== name && included(plain) && !included(name) && !excluded(name);
  });
}

function inProject<Entry extends File>(entries: readonly Entry[], prefix: string): Named<Entry>[] {
  const folder = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  return entries
    .filter(({ path }) => path.startsWith(folder))
    .map((entry) => ({ ...entry, name: entry.path.slice(folder.length) }));
}

function fitsAny(globs: readonly string[]): PathMatcher {
  const matchers = globs.map((glob) => ({ fits: compileGlob(glob), packages: glob.includes(packageFolder) }));
  return (path) => {
    const inPackages = isInPackages(path);
    return matchers.some(({ fits, packages }) => (packages || !inPackages) && fits(path));
  };
}
