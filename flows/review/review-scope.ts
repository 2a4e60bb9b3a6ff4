import type { ChangedFile } from '../../git/changed-file.ts';
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
  /** The same where there are none. */
  readonly emptyReason: string;
  /** All pipelines of the project. */
  readonly all: readonly string[];
  /** Pipelines that the change deleted or renamed, by old path, with the new one of a renamed one. */
  readonly gone: ReadonlyMap<string, string | undefined>;
  /** Files that the change touched, pipelines or not. */
  readonly touched: ReadonlySet<string>;
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
  const { directory, include, exclude = [], files, base, scope, configDir, gone = new Map() } = request;
  const tree = await snapshot.list(directory);
  const all = selectFiles(tree, { include, exclude }, directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);
  const emptyReason = 'the project has no pipelines (files.include in millrace.yaml says where they are)';
  const everything = { paths: all, all, gone, touched: new Set(all), complete: true, emptyReason };

  if (files !== undefined) {
    const paths = named(files, tree, snapshot);
    const touched = new Set(paths);
    return { paths, all, gone, touched, complete: false, reason: 'the files that were named', emptyReason };
  }
  if (base === undefined) {
    const why = scope === 'all' ? 'of the project' : ', because there is nothing to compare with';
    return { ...everything, reason: `all pipelines${scope === 'all' ? ' ' : ''}${why}` };
  }
  const changed = await changedFiles(request, snapshot, base);
  const taken = takenAway(changed, all);
  if (scope === 'all') return { ...everything, gone: taken, reason: 'all pipelines of the project' };
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  if (changed.some(({ path, oldPath }) => path === rulesFile || oldPath === rulesFile)) {
    return { ...everything, gone: taken, reason: 'all pipelines, because the rules file changed' };
  }
  const touched = new Set(changed.filter(({ status }) => status !== 'deleted').map(({ path }) => path));
  const paths = all.filter((path) => touched.has(path));
  const since = request.baseName ?? (base === snapshot.commit ? 'the last commit' : base.slice(0, 12));
  const reason = `pipelines changed since ${since}`;
  return { paths, all, gone: taken, touched, complete: false, reason, emptyReason: `no ${reason}` };
}

/** What a branch did, not what its base did meanwhile. */
async function changedFiles(
  { repository }: ReviewRequest,
  snapshot: Snapshot,
  base: string,
): Promise<readonly ChangedFile[]> {
  const fork = snapshot.commit === '' ? undefined : await repository.mergeBase(base, snapshot.commit);
  return snapshot.changedSince(fork ?? base);
}

/** Pipelines that are not there any more, with the new name of a renamed one. */
function takenAway(
  changed: readonly ChangedFile[],
  all: readonly string[],
): ReadonlyMap<string, string | undefined> {
  const there = new Set(all);
  const gone = new Map<string, string | undefined>();
  for (const { status, path, oldPath } of changed) {
    const old = status === 'deleted' ? path : oldPath;
    if (old !== undefined && kindOf(old) !== undefined && !there.has(old))
      gone.set(old, oldPath === undefined ? undefined : path);
  }
  return gone;
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
    mend:
      kind === 'commit'
        ? 'Check the spelling, and commit them first.'
        : 'Check the spelling; a file that git ignores is not reviewed.',
  });
}

const placeOf = { staged: 'among the staged files', 'working-tree': 'in the work tree' };
