import type { ChangedFile } from '../../../lib/git/objects/changed-file.ts';
import { selectFiles } from '../../../lib/git/select-files.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import type { TreeEntry } from '../../../lib/git/objects/tree-entry.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { decodeText } from '../../../lib/core/files/decode-text.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { hintAt } from '../../../lib/core/text/look-alike.ts';
import { nearestPipeline } from '../../../lib/pipelines/checks/nearest-pipeline.ts';
import { intendedName, kindOf, suffixOf, withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { folderOfRules } from '../../../lib/pipelines/rules-file.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { childOf, valueOf } from '../../../lib/yaml/yaml-node.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { hiddenPipelines, type MisnamedPipeline, misnamedPipelines } from '../../project/hidden-pipelines.ts';
import { ignoreMissingHistory } from './ignore-missing-history.ts';
import type { ReviewRequest } from './review-request.ts';
import { startOfChange } from './start-of-change.ts';

/** The pipelines to review, relative to the repository, and the reason why these. */
export interface ReviewScope {
  readonly paths: readonly string[];
  readonly reason: string;
  /** The reason if there is no pipeline to review. */
  readonly emptyReason: string;
  /** All pipelines of the project. */
  readonly all: readonly string[];
  /** Pipelines that the change deleted or renamed, by old path. The value is the new path of a renamed pipeline. */
  readonly removed: ReadonlyMap<string, string | undefined>;
  /** Pipelines that the change added, also by renaming a file. */
  readonly added: ReadonlySet<string>;
  /** The commit that the change starts from: the merge base with `base`, if git knows it. Absent if no change is known. */
  readonly from?: string | undefined;
  /**
   * All files that the change touched, with the old paths of renamed and deleted files. Absent if no change is known.
   */
  readonly touched?: ReadonlySet<string>;
  /** Pipelines that are left out because a name in their path begins with a dot. */
  readonly hidden: readonly string[];
  /** Files that were meant as pipelines, or were pipelines before the change, but do not have the name of a pipeline. */
  readonly misnamed: readonly MisnamedPipeline[];
  /** Whether `paths` holds all pipelines of the project. */
  readonly complete: boolean;
  /** Pipelines of the project whose content a partial clone has not fetched; absent if it has all. */
  readonly notFetched?: readonly string[];
  /** The pipelines of `notFetched` that would be reviewed. `isNeeded`: the review must not pass without them. */
  readonly notReviewed?: { readonly paths: readonly string[]; readonly isNeeded: boolean };
  /** Files that decide about the review and that the change touched. */
  readonly policyChanges: readonly string[];
}

/** Whether the rules of a folder may apply to a project: the folder is the project's, a parent of it, or inside it. */
function appliesIn(directory: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  return (
    `${directory}/`.startsWith(`${folder}/`) ||
    folder === '' ||
    directory === '' ||
    folder.startsWith(`${directory}/`)
  );
}

/** Whether the settings may find more in unchanged pipelines than the settings at the commit `from`. */
export type IsStricter = (change: {
  readonly from: string;
  readonly touched: ReadonlySet<string>;
}) => Promise<boolean>;

/**
 * Chooses the pipelines to review: the named ones, the changed ones, or all. A changed rules file selects all
 * pipelines, because it applies to each of them. So do stricter settings, and changed `files`, because calls and
 * scripts may no longer be among the files. `removed` is set in every case. Throws Failure 'usage' for a named file
 * that is not in the commit.
 */
export async function chooseScope(
  request: ReviewRequest,
  snapshot: Snapshot,
  isStricter: IsStricter,
): Promise<ReviewScope> {
  const { directory, files, scope, configDir } = request;
  const [tree, change] = await Promise.all([snapshot.list(directory), changeOf(request, snapshot)]);
  const all = pipelinesAmong(tree, request);
  const touched = change === undefined ? undefined : namesOf(change.files);
  const rulesFiles = [...(touched ?? [])].filter((path) =>
    appliesIn(directory, folderOfRules(path, configDir)),
  );
  const policyFiles = [request.configFile, ...(request.extendedFiles ?? []), ...rulesFiles, request.baseline];
  const hidden = hiddenPipelines(tree, request, directory).map(({ path }) => path);
  const common = {
    all,
    hidden,
    misnamed: [
      ...misnamedPipelines(tree, request, directory),
      ...renamedAway(change?.files ?? [], tree, request),
    ],
    removed: removedPipelines(change?.files ?? [], all, request),
    added: addedAmong(all, change?.files ?? []),
    from: change?.from,
    ...(touched === undefined ? {} : { touched }),
    policyChanges: policyFiles.filter(
      (file) => file !== undefined && touched?.has(file) === true,
    ) as string[],
  };
  if (files !== undefined) {
    const emptyReason = 'none of the named files is a pipeline';
    const paths = validateNamedFiles(files, tree, snapshot);
    return { ...common, paths, complete: false, reason: 'the named files', emptyReason };
  }
  const emptyReason =
    hidden.length === 0
      ? 'the project has no pipelines (files.include in millrace.yaml selects them)'
      : 'files.include in millrace.yaml does not match the project’s pipelines, because a name in their path begins with a dot';
  const everything = { ...common, paths: all, complete: true, emptyReason };
  if (scope === 'all') return { ...everything, reason: 'all pipelines of the project' };
  if (change === undefined || touched === undefined)
    return { ...everything, reason: 'all pipelines, because there is nothing to compare with' };
  const unchanged = change.files.length === 0 ? unchangedReasons[snapshot.kind] : undefined;
  if (unchanged !== undefined && request.wholeIfUnchanged === true)
    return { ...everything, reason: `all pipelines of the project, because ${unchanged}` };
  if (rulesFiles.length > 0)
    return { ...everything, reason: 'all pipelines, because the rules file changed' };
  if (await selectsOthers(request, snapshot, { touched, from: change.from }))
    return {
      ...everything,
      reason: 'all pipelines, because `files` or `release.shared` of the settings changed',
    };
  if (change.from !== undefined && (await isStricter({ from: change.from, touched })))
    return { ...everything, reason: 'all pipelines, because the checks of the settings became stricter' };
  const { affected } = request;
  const paths = all.filter((path) => touched.has(path) || affected?.has(path) === true);
  const none =
    unchanged ?? `no ${change.pipelines}${affected === undefined ? '' : ', and none that they affect'}`;
  return {
    ...common,
    paths,
    complete: false,
    reason:
      affected === undefined
        ? change.pipelines
        : `${change.pipelines} and what they affect; ${leftText(all.length - paths.length)}`,
    emptyReason: all.length === 0 ? emptyReason : none,
  };
}

function leftText(count: number): string {
  return count === 0
    ? 'these are all pipelines'
    : `${numberOf(count, 'other pipeline was', 'other pipelines were')} not reviewed`;
}

/** Whether the change gives the project other files or other shared pipelines. */
async function selectsOthers(
  { repository, directory, configFile = inRepository(directory, 'millrace.yaml') }: ReviewRequest,
  snapshot: Snapshot,
  { touched, from: commit }: { readonly touched: ReadonlySet<string>; readonly from: string | undefined },
): Promise<boolean> {
  if (commit === undefined || !touched.has(configFile)) return false;
  const before = await ignoreMissingHistory(repository.readFile(commit, configFile));
  const now = (await snapshot.readFiles([configFile], maxPipelineBytes)).get(configFile);
  return selectionIn(before, configFile) !== selectionIn(now, configFile);
}

function selectionIn(content: Uint8Array | undefined, file: string): string {
  const { root } = readYaml(decodeText(content ?? Buffer.of()).text ?? '', { file });
  return JSON.stringify([
    valueOf(childOf(root, 'files')),
    valueOf(childOf(childOf(root, 'release'), 'shared')),
    valueOf(childOf(root, 'config-dir')),
  ]);
}

/** Why there is nothing to review if no file changed; undefined if the description of the change is clearer. */
const unchangedReasons: Readonly<Record<Snapshot['kind'], string | undefined>> = {
  commit: undefined,
  staged: 'nothing is staged',
  'working-tree': undefined,
};

/** The pipelines of a project among some files, relative to the repository. */
export function pipelinesAmong(
  entries: readonly TreeEntry[],
  selection: Pick<ReviewRequest, 'directory' | 'include' | 'exclude'>,
): string[] {
  return selectFiles(entries, selection, selection.directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);
}

interface Change {
  readonly files: readonly ChangedFile[];
  /** Describes the selected pipelines in a message: `pipelines …`. */
  readonly pipelines: string;
  /** The commit that it starts from, if it is known. */
  readonly from: string | undefined;
}

/** The caller's change, or the changes of the branch since its merge base; later changes of the base do not count. */
async function changeOf(request: ReviewRequest, snapshot: Snapshot): Promise<Change | undefined> {
  const { change, base, baseName } = request;
  if (change !== undefined)
    return {
      files: change.files,
      pipelines: `pipelines among ${change.description}`,
      from: change.from ?? base,
    };
  if (base === undefined) return undefined;
  const isLast = base === snapshot.commit;
  const from = await startOfChange(request, base, snapshot.commit);
  const since = baseName ?? (isLast ? 'the last commit' : base.slice(0, 12));
  return { files: await snapshot.changedSince(from), pipelines: `pipelines changed since ${since}`, from };
}

function namesOf(files: readonly ChangedFile[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])));
}

function addedAmong(all: readonly string[], changed: readonly ChangedFile[]): ReadonlySet<string> {
  const isNew = ({ status }: ChangedFile) => status === 'added' || status === 'renamed';
  const added = new Set(changed.filter(isNew).map(({ path }) => path));
  return new Set(all.filter((path) => added.has(path)));
}

/** Pipelines that the change removed from the project, with the new path of those that are still pipelines. */
function removedPipelines(
  changed: readonly ChangedFile[],
  all: readonly string[],
  selection: Pick<ReviewRequest, 'directory' | 'include' | 'exclude'>,
): ReadonlyMap<string, string | undefined> {
  const existing = new Set(all);
  const removed = new Map<string, string | undefined>();
  for (const { status, path, oldPath } of changed) {
    const old = status === 'deleted' ? path : oldPath;
    if (old !== undefined && !existing.has(old)) removed.set(old, existing.has(path) ? path : undefined);
  }
  const entries = Array.from(removed.keys(), (path): TreeEntry => ({
    path,
    mode: '',
    type: 'blob',
    oid: '',
  }));
  const counted = new Set(pipelinesAmong(entries, selection));
  return new Map([...removed].filter(([old]) => counted.has(old)));
}

/** Files that were pipelines before the change renamed them, such as `load.yaml`, with names that keep them pipelines. */
function renamedAway(
  changed: readonly ChangedFile[],
  tree: readonly TreeEntry[],
  { directory, include, exclude = [] }: Pick<ReviewRequest, 'directory' | 'include' | 'exclude'>,
): readonly MisnamedPipeline[] {
  const existing = new Set(tree.map(({ path }) => path));
  return changed.flatMap(({ status, path, oldPath = '' }) => {
    const kind = kindOf(oldPath);
    const isYaml = /\.ya?ml$/i.test(path) && kindOf(path) === undefined && intendedName(path) === undefined;
    if (status !== 'renamed' || kind === undefined || !isYaml || !existing.has(path)) return [];
    const intended = path.replace(/\.ya?ml$/i, suffixOf(kind));
    const isSelected = selectFiles([{ path: intended }], { include, exclude }, directory).length > 0;
    const isExcluded =
      exclude.length > 0 && selectFiles([{ path }], { include: exclude }, directory).length > 0;
    return isSelected && !isExcluded ? [{ path, intended }] : [];
  });
}

function validateNamedFiles(
  files: readonly string[],
  tree: readonly TreeEntry[],
  { kind, commit }: Snapshot,
): readonly string[] {
  const existing = new Set(tree.map(({ path }) => path));
  const missing = files.filter((file) => !existing.has(file));
  if (missing.length === 0) return [...new Set(files)];
  const where = kind === 'commit' ? `in commit ${commit.slice(0, 12)}` : placeOf[kind];
  throw new Failure('usage', {
    message: `Some of the named files are not ${where}: ${missing.map((file) => `"${file}"`).join(', ')}.`,
    where: { input: 'files' },
    hint: `${meantFile(missing[0] ?? '', existing)} ${
      kind === 'commit'
        ? 'Check the spelling, and commit the files first.'
        : 'Check the spelling. A file that git ignores is not reviewed.'
    }`.trimStart(),
  });
}

function meantFile(file: string, existing: ReadonlySet<string>): string {
  const kind = kindOf(file);
  const meant =
    kind === undefined
      ? closestWord(file, existing)
      : nearestPipeline({ target: withoutSuffix(file), kind, caller: '' }, existing);
  return hintAt(file, meant);
}

const placeOf = { staged: 'among the staged files', 'working-tree': 'in the work tree' };
