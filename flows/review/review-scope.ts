import { selectFiles } from '../../git/select-files.ts';
import { Failure } from '../../model/failure.ts';
import { kindOf } from '../../pipelines/pipeline-kind.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import type { ReviewRequest } from './review-request.ts';

/** The pipelines to review, relative to the repository, and why these. */
export interface ReviewScope {
  readonly paths: readonly string[];
  readonly reason: string;
}

/** A path of the project, seen from the repository. */
export function inRepository(directory: string, path: string): string {
  return directory === '' ? path : `${directory}/${path}`;
}

/**
 * Chooses the pipelines: the named ones, the changed ones, or all. A changed rules file means all, because it
 * changes what holds for each of them.
 * Throws Failure 'usage' for a named file that is not in the commit.
 */
export async function chooseScope(request: ReviewRequest, commit: string): Promise<ReviewScope> {
  const { repository, directory, include, exclude = [], files, base, scope, configDir } = request;
  const tree = await repository.listTree(commit, directory === '' ? {} : { under: directory });
  const all = selectFiles(tree, { include, exclude }, directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);

  if (files !== undefined)
    return {
      paths: named(files, new Set(tree.map(({ path }) => path)), commit),
      reason: 'the files that were named',
    };
  if (scope === 'all') return { paths: all, reason: 'all pipelines of the project' };
  if (base === undefined)
    return { paths: all, reason: 'all pipelines, because there is nothing to compare with' };

  const from = (await repository.mergeBase(base, commit)) ?? base;
  const changed = await repository.changedFiles(from, commit);
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  if (changed.some(({ path, oldPath }) => path === rulesFile || oldPath === rulesFile)) {
    return { paths: all, reason: 'all pipelines, because the rules file changed' };
  }
  const touched = new Set(changed.filter(({ status }) => status !== 'deleted').map(({ path }) => path));
  return {
    paths: all.filter((path) => touched.has(path)),
    reason: `pipelines changed since ${from.slice(0, 12)}`,
  };
}

function named(files: readonly string[], there: ReadonlySet<string>, commit: string): readonly string[] {
  const missing = files.filter((file) => !there.has(file));
  if (missing.length === 0) return [...new Set(files)];
  throw new Failure('usage', {
    message: `Not in commit ${commit.slice(0, 12)}: ${missing.map((file) => `"${file}"`).join(', ')}.`,
    where: { input: 'files' },
    mend: 'Name files relative to the repository, and commit them first.',
  });
}
