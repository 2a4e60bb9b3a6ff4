import type { ReadConfig } from '../../lib/config/read-config.ts';
import { readVariables } from '../../lib/config/read-variables.ts';
import type { VariablesFile } from '../../lib/config/variables-schema.ts';
import { selectFiles } from '../../lib/git/select-files.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Project } from '../kit/project.ts';

/** More is no file of variables. */
const maxBytes = 4 * 1024 * 1024;

export interface FileOfVariables {
  /** Relative to the repository. */
  readonly path: string;
  readonly read: ReadConfig<VariablesFile>;
}

/**
 * The files that the patterns name, as they are at a commit. Failure 'usage' for a pattern that fits no file, 'config-invalid' at the line
 * of the first fault.
 */
export async function readFilesOfVariables(
  patterns: readonly string[],
  { repository, directory }: Project,
  commit: string,
  signal: AbortSignal,
): Promise<FileOfVariables[]> {
  const tree = await repository.listTree(commit, {
    signal,
    ...(directory === '' ? {} : { under: directory }),
  });
  const paths = patterns.flatMap((pattern) => {
    const found = selectFiles(tree, { include: [pattern] }, directory).map(({ path }) => path);
    if (found.length > 0) return found;
    throw new Failure('usage', {
      message: `No file at ${commit.slice(0, 12)} fits "${pattern}".`,
      where: { input: 'files' },
      hint: 'Give paths relative to the folder of the project (working-directory), of files that are committed.',
    });
  });
  const contents = await repository.readFiles(commit, paths, { signal, maxBytes });
  return [...new Set(paths)].map((path) => ({
    path,
    read: readVariables(contents.get(path)?.toString('utf8') ?? '', path),
  }));
}
