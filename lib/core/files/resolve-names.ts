import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { compileGlob, type PathMatcher } from './glob.ts';

export interface NameChoice {
  readonly cwd: string;
  /** The folder that `paths` are relative to. */
  readonly root: string;
  /** All files. */
  readonly paths: readonly string[];
  /** The files that folders and globs find. */
  readonly candidates: readonly string[];
  /** What the candidates are, for messages. */
  readonly what: string;
  /** The option or argument that has the names; default: `files`. */
  readonly input?: string;
  readonly hint: string;
}

/**
 * Resolves files, folders and globs, relative to a folder, to paths.
 * - A file name means that file; a folder or a glob means the candidates in it.
 * - A name that does not exist from the folder is tried from the root, as other tools print it.
 * - A name that does not exist at all is returned unchanged.
 * Throws Failure 'usage' for a folder or glob without a candidate.
 */
export async function resolveNames(
  names: readonly string[],
  { cwd, root, paths, candidates, what, input = 'files', hint }: NameChoice,
): Promise<readonly string[]> {
  const [here, top] = await Promise.all([realpath(cwd), realpath(root)]);
  const files = new Set(paths);
  const folders = new Set(paths.flatMap(foldersOf));

  const filesOf = (name: string, places: readonly string[]): readonly string[] | undefined => {
    const file = places.find((place) => files.has(place));
    if (file !== undefined) return [file];
    const folder = places.find((place) => place === '' || folders.has(place));
    if (folder !== undefined)
      return candidates.filter((candidate) => folder === '' || candidate.startsWith(`${folder}/`));
    if (!isGlob(name)) return undefined;
    const matchers = places.map((place) => matcherOf(place, { name, input }));
    const matches = matchers.map((matcher) =>
      candidates.filter((candidate) => matcher(candidate) || foldersOf(candidate).some(matcher)),
    );
    return matches.find((matched) => matched.length > 0) ?? [];
  };

  const fromTop = (file: string): string => path.relative(top, file).split(path.sep).join('/');
  const resolved = await Promise.all(
    names.map(async (name) => {
      const full = await realFolderOf(path.resolve(here, name));
      return { name, full, target: await realpath(full).catch(() => full) };
    }),
  );
  return resolved.flatMap(({ name, full, target }) => {
    const fromRoot = fromTop(path.resolve(here, name));
    const places = [fromRoot, fromTop(full), fromTop(target), path.posix.normalize(name).replace(/\/$/, '')];
    const chosen = filesOf(name, places);
    if (chosen === undefined) return [fromRoot];
    if (chosen.length > 0) return chosen;
    throw new Failure('usage', {
      message: isGlob(name)
        ? `No ${what} of the project matches "${name}".`
        : `The folder "${name}" contains no ${what} of the project.`,
      where: { input },
      hint,
    });
  });
}

/**
 * A path in which the symbolic links of existing folders are resolved: the folder of temporary files may be a link, and the
 * file must still match the file of the project. The last part stays, because for git a link is a file.
 */
async function realFolderOf(file: string): Promise<string> {
  const folder = path.dirname(file);
  if (folder === file) return file;
  const real = await realpath(folder).catch(() => realFolderOf(folder));
  return path.join(real, path.basename(file));
}

function isGlob(name: string): boolean {
  return /[*?{]/.test(name);
}

function matcherOf(glob: string, typed: { readonly name: string; readonly input: string }): PathMatcher {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure('usage', {
      message: `Invalid glob "${typed.name.slice(0, 80)}": ${error.message}.`,
      hint: 'Quote the glob, and check its brackets and braces. Use `*` or several globs in place of many braces.',
      where: { input: typed.input },
    });
  }
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
