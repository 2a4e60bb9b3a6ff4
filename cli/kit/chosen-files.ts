import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type FileSelection, selectFiles } from '../../lib/git/select-files.ts';
import type { TreeEntry } from '../../lib/git/tree-entry.ts';
import { Failure } from '../../lib/core/failure.ts';
import { compileGlob, type PathMatcher } from '../../lib/core/glob.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';

export interface FileChoice {
  /** The folder in which the names were typed. */
  readonly cwd: string;
  /** Top of the repository. */
  readonly root: string;
  /** The project's folder in the repository. */
  readonly directory: string;
  /** All files of what is looked at. */
  readonly entries: readonly TreeEntry[];
  readonly selection: FileSelection;
}

/**
 * Files, folders and globs as typed in the current folder, as files seen from the repository. A folder means the
 * pipelines in it, a glob those that fit or are in a folder that fits, as far as `files` in millrace.yaml selects them; a file that is named means
 * itself. A name that is one only from the repository's root, as other tools print it, is taken as that; one that is
 * nothing at all is left as it is. Throws Failure 'usage' for a folder or glob without a pipeline.
 */
export async function chosenFiles(names: readonly string[], choice: FileChoice): Promise<readonly string[]> {
  const { cwd, root, directory, entries, selection } = choice;
  const here = await realpath(cwd);
  const there = new Set(entries.map((entry) => entry.path));
  const folders = new Set(entries.flatMap((entry) => foldersOf(entry.path)));
  const pipelines = selectFiles(entries, selection, directory)
    .map((entry) => entry.path)
    .filter((name) => kindOf(name) !== undefined);

  const inside = (name: string, seen: readonly string[]): readonly string[] | undefined => {
    const file = seen.find((one) => there.has(one));
    if (file !== undefined) return [file];
    const folder = seen.find((one) => one === '' || folders.has(one));
    if (folder !== undefined) return pipelines.filter((one) => folder === '' || one.startsWith(`${folder}/`));
    if (!isGlob(name)) return undefined;
    const fits = seen.map((one) => matcherOf(one, name));
    const matches = fits.map((matcher) =>
      pipelines.filter((one) => matcher(one) || foldersOf(one).some(matcher)),
    );
    return matches.find((one) => one.length > 0) ?? [];
  };

  return names.flatMap((name) => {
    const seen = path.relative(root, path.resolve(here, name)).split(path.sep).join('/');
    const chosen = inside(name, [seen, path.posix.normalize(name).replace(/\/$/, '')]);
    if (chosen === undefined) return [seen];
    if (chosen.length > 0) return chosen;
    throw new Failure('usage', {
      message: isGlob(name)
        ? `No pipeline of the project fits "${name}".`
        : `There is no pipeline of the project in the folder "${name}".`,
      where: { input: 'files' },
      hint: 'Give files, folders or globs, relative to the folder you are in. files.include and files.exclude in millrace.yaml say which files are pipelines of the project.',
    });
  });
}

function isGlob(name: string): boolean {
  return /[*?{]/.test(name);
}

function matcherOf(glob: string, typed: string): PathMatcher {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure('usage', {
      message: `The glob "${typed.slice(0, 80)}" cannot be used: ${error.message}.`,
      where: { input: 'files' },
    });
  }
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
