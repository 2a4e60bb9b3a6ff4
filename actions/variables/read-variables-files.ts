import type { ReadConfig } from '../../lib/config/fields/read-config.ts';
import { readVariables } from '../../lib/config/project/read-variables.ts';
import type { VariablesFile } from '../../lib/config/project/variables-schema.ts';
import { selectFiles } from '../../lib/git/select-files.ts';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Project } from '../kit/checkout/project.ts';

/** Size limit of all files together, in bytes. */
const maxBytes = 4 * 1024 * 1024;

export interface VariablesFileAtCommit {
  /** Relative to the repository. */
  readonly path: string;
  readonly read: ReadConfig<VariablesFile>;
}

/**
 * Reads the files at a commit that match the patterns. Throws Failure 'usage' for a pattern without a match,
 * 'config-invalid' with the line of the first error.
 */
export async function readVariablesFiles(
  patterns: readonly string[],
  { repository, directory }: Project,
  commit: string,
  signal: AbortSignal,
): Promise<VariablesFileAtCommit[]> {
  const tree = await repository.listTree(commit, {
    signal,
    ...(directory === '' ? {} : { under: directory }),
  });
  const paths = patterns.flatMap((pattern) => {
    const matches = selectFiles(tree, { include: [pattern] }, directory).map(({ path }) => path);
    if (matches.length > 0) return matches;
    throw new Failure('usage', {
      message: `No file at ${commit.slice(0, 12)} matches "${pattern}".`,
      where: { input: 'files' },
      hint: 'Give paths of committed files, relative to the project folder (working-directory).',
    });
  });
  const contents = await repository.readFiles(commit, paths, { signal, maxBytes });
  return [...new Set(paths)].map((path) => ({
    path,
    read: readVariables(requireText(contents.get(path) ?? Buffer.of(), path), path),
  }));
}
