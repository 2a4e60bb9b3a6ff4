import { selectFiles } from '../../git/select-files.ts';
import type { TreeEntry } from '../../git/tree-entry.ts';
import { Failure } from '../../model/failure.ts';
import { kindOf } from '../../pipelines/pipeline-kind.ts';
import type { Snapshot } from '../../git/snapshot.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import type { ReviewRequest } from './review-request.ts';

/** The pipelines to review, relative to the repository, and why these. */
export interface ReviewScope {
  readonly paths: readonly string[];
  readonly reason: string;
  /** Whether these are all pipelines of the project. */
  readonly complete: boolean;
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
export async function chooseScope(request: ReviewRequest, snapshot: Snapshot): Promise<ReviewScope> {
  const { repository, directory, include, exclude = [], files, base, scope, configDir } = request;
  const tree = await snapshot.list(directory);
  const all = selectFiles(tree, { include, exclude }, directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);

  if (files !== undefined)
    return {
      paths: named(files, tree, snapshot),
      reason: 'the files that were named',
      complete: false,
    };
  if (scope === 'all') return { paths: all, reason: 'all pipelines of the project', complete: true };
  if (base === undefined)
    return {
      paths: all,
      reason: 'all pipelines, because there is nothing to compare with',
      complete: true,
    };

  const from = snapshot.commit === '' ? base : ((await repository.mergeBase(base, snapshot.commit)) ?? base);
  const changed = await snapshot.changedSince(from);
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  if (changed.some(({ path, oldPath }) => path === rulesFile || oldPath === rulesFile)) {
    return { paths: all, reason: 'all pipelines, because the rules file changed', complete: true };
  }
  const touched = new Set(changed.filter(({ status }) => status !== 'deleted').map(({ path }) => path));
  return {
    paths: all.filter((path) => touched.has(path)),
    reason: `pipelines changed since ${from.slice(0, 12)}`,
    complete: false,
  };
}

function named(
  files: readonly string[],
  tree: readonly TreeEntry[],
  { kind, commit }: Snapshot,
): readonly string[] {
  const there = new Set(tree.map(({ path }) => path));
  const missing = files.filter((file) => !there.has(file));
  if (missing.length === 0) return [...new Set(files)];
  const where = kind === 'commit' ? `in commit ${commit.slice(0, 12)}` : placeOf[kind];
  throw new Failure('usage', {
    message: `Not ${where}: ${missing.map((file) => `"${file}"`).join(', ')}.`,
    where: { input: 'files' },
    mend: 'Name files relative to the repository, and commit them first.',
  });
}

const placeOf = { staged: 'among the staged files', 'working-tree': 'in the work tree' };
