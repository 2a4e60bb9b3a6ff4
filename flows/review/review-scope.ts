import type { ChangedFile } from '../../lib/git/changed-file.ts';
import { selectFiles } from '../../lib/git/select-files.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import type { TreeEntry } from '../../lib/git/tree-entry.ts';
import { Failure } from '../../lib/core/failure.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { folderOfRules } from '../../lib/pipelines/rules-file.ts';
import { hiddenPipelines } from '../project/hidden-pipelines.ts';
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
  /** Files that the change touched, pipelines or not, with the names that are gone; absent where no change is known. */
  readonly touched?: ReadonlySet<string>;
  /** Pipelines that count in no way, because a name on the way to them begins with a dot. */
  readonly hidden: readonly string[];
  /** Whether these are all pipelines of the project. */
  readonly complete: boolean;
  /** Files that decide about the review and that the change touched. */
  readonly policyChanges: readonly string[];
}

/** Whether rules for a folder may hold in a project: they are for the project, for a folder above it, or for one in it. */
function holdsIn(directory: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  return (
    `${directory}/`.startsWith(`${folder}/`) ||
    folder === '' ||
    directory === '' ||
    folder.startsWith(`${directory}/`)
  );
}

/** A path of the project, seen from the repository. */
export function inRepository(directory: string, path: string): string {
  return directory === '' ? path : `${directory}/${path}`;
}

/**
 * Chooses what is reviewed, for every entrance: the named pipelines, the changed ones, or all. A changed rules file
 * means all, because it changes what holds for each of them. What the change took away is told in any case.
 * Throws Failure 'usage' for a named file that is not in the commit.
 */
export async function chooseScope(request: ReviewRequest, snapshot: Snapshot): Promise<ReviewScope> {
  const { directory, files, scope, configDir } = request;
  const tree = await snapshot.list(directory);
  const all = pipelinesAmong(tree, request);
  const change = await changeOf(request, snapshot);
  const touched = change === undefined ? undefined : namesOf(change.files);
  const rulesFiles = [...(touched ?? [])].filter((path) =>
    holdsIn(directory, folderOfRules(path, configDir)),
  );
  const policyFiles = [request.configFile, ...rulesFiles, request.baseline];
  const hidden = hiddenPipelines(tree, request, directory).map(({ path }) => path);
  const known = {
    all,
    hidden,
    gone: removedPipelines(change?.files ?? [], all, request),
    ...(touched === undefined ? {} : { touched }),
    policyChanges: policyFiles.filter(
      (file) => file !== undefined && touched?.has(file) === true,
    ) as string[],
  };
  if (files !== undefined) {
    const emptyReason = 'none of the files that were named is a pipeline';
    const paths = named(files, tree, snapshot);
    return { ...known, paths, complete: false, reason: 'the files that were named', emptyReason };
  }
  const emptyReason =
    hidden.length === 0
      ? 'the project has no pipelines (files.include in millrace.yaml says where they are)'
      : 'files.include in millrace.yaml does not name the project’s pipelines, whose names or folders begin with a dot';
  const everything = { ...known, paths: all, complete: true, emptyReason };
  if (scope === 'all') return { ...everything, reason: 'all pipelines of the project' };
  if (change === undefined || touched === undefined)
    return { ...everything, reason: 'all pipelines, because there is nothing to compare with' };
  if (rulesFiles.length > 0)
    return { ...everything, reason: 'all pipelines, because the rules file changed' };
  const paths = all.filter((path) => touched.has(path));
  const none = all.length === 0 ? emptyReason : `no ${change.pipelines}`;
  return { ...known, paths, complete: false, reason: change.pipelines, emptyReason: none };
}

function pipelinesAmong(
  entries: readonly TreeEntry[],
  selection: Pick<ReviewRequest, 'directory' | 'include' | 'exclude'>,
): string[] {
  return selectFiles(entries, selection, selection.directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);
}

interface Change {
  readonly files: readonly ChangedFile[];
  /** Which pipelines these make: `pipelines …`. */
  readonly pipelines: string;
}

/** What the caller says, or else what a branch did since it left its base, not what its base did meanwhile. */
async function changeOf(
  { change, base, baseName, repository }: ReviewRequest,
  snapshot: Snapshot,
): Promise<Change | undefined> {
  if (change !== undefined) return { files: change.files, pipelines: `pipelines among ${change.way}` };
  if (base === undefined) return undefined;
  const fork = snapshot.commit === '' ? undefined : await repository.mergeBase(base, snapshot.commit);
  const since = baseName ?? (base === snapshot.commit ? 'the last commit' : base.slice(0, 12));
  return { files: await snapshot.changedSince(fork ?? base), pipelines: `pipelines changed since ${since}` };
}

function namesOf(files: readonly ChangedFile[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])));
}

/** Pipelines of the project that are not there any more, with the new name of one that still is one. */
function removedPipelines(
  changed: readonly ChangedFile[],
  all: readonly string[],
  selection: Pick<ReviewRequest, 'directory' | 'include' | 'exclude'>,
): ReadonlyMap<string, string | undefined> {
  const there = new Set(all);
  const gone = new Map<string, string | undefined>();
  for (const { status, path, oldPath } of changed) {
    const old = status === 'deleted' ? path : oldPath;
    if (old !== undefined && !there.has(old)) gone.set(old, there.has(path) ? path : undefined);
  }
  const entries = Array.from(gone.keys(), (path): TreeEntry => ({ path, mode: '', type: 'blob', oid: '' }));
  const counted = new Set(pipelinesAmong(entries, selection));
  return new Map([...gone].filter(([old]) => counted.has(old)));
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
    hint:
      kind === 'commit'
        ? 'Check the spelling, and commit them first.'
        : 'Check the spelling; a file that git ignores is not reviewed.',
  });
}

const placeOf = { staged: 'among the staged files', 'working-tree': 'in the work tree' };
