import { compareTexts } from '../../core/text/compare-texts.ts';
import { kindOf, type PipelineKind, suffixOf } from './pipeline-kind.ts';

/** The folder to which the paths of calls are relative. */
export interface CallFolder {
  /** Relative to the project; `''` for the project's own. */
  readonly folder: string;
  /** What calls write before their path: a former name of the folder, or a folder above the project. Undefined for nothing. */
  readonly calledAs?: string | undefined;
}

/** The folder from which most calls of a project resolve, and the numbers that show it. */
export interface FoundRoot extends CallFolder {
  /** How many calls of the project resolve from it. Calls of shared pipelines, and calls whose target has a variable, do not count. */
  readonly resolved: number;
  /** How many calls resolve from the project's own folder. */
  readonly fromProject: number;
  /** All calls. */
  readonly calls: number;
  /** The first pipeline with a call that resolves from `folder` only. */
  readonly firstCaller: string | undefined;
}

/** The folders from which the calls of a project are resolved. */
export interface CallRoots {
  /** The folder that the settings name: then no other one counts. */
  readonly set?: CallFolder | undefined;
  /** The folder that is found; undefined if it is the project's own. Asked only for a call that does not resolve from that one. */
  readonly found: () => FoundRoot | undefined;
  /** The folder that was used so far; undefined if it is the project's own. */
  readonly taken: () => CallFolder | FoundRoot | undefined;
}

/** A call as it is written in a file. */
export interface WrittenCall {
  readonly caller: string;
  readonly kind: PipelineKind;
  readonly target: string;
}

/** Fewer different targets are a mistake in a path rather than another folder. */
const minTargets = 2;
const minRenamedTargets = 3;

/**
 * Finds the folder from which most calls of a project resolve. The project's own folder wins a tie, and also if at
 * least half of the calls resolve from it. `paths`: all pipelines of the project, relative to it.
 */
export function callRoot(paths: Iterable<string>, calls: readonly WrittenCall[]): FoundRoot {
  const pipelines = new Set(paths);
  const targets = new Map<string, { readonly path: string; count: number }>();
  for (const { kind, target } of calls) {
    const path = pathOf(target, kind);
    if (path === undefined) continue;
    const same = targets.get(path);
    if (same === undefined) targets.set(path, { path, count: 1 });
    else same.count += 1;
  }
  const total = calls.length;
  const fromProject = [...targets.values()].reduce(
    (sum, { path, count }) => sum + (pipelines.has(path) ? count : 0),
    0,
  );
  const own = { folder: '', resolved: fromProject, fromProject, calls: total, firstCaller: undefined };
  if (2 * fromProject >= total) return own;
  const best = bestCandidate(pipelines, [...targets.values()]);
  if (best === undefined || best.resolved <= fromProject) return own;
  const { folder, calledAs, resolved } = best;
  const isOnlyThere = ({ kind, target }: WrittenCall) => {
    const path = pathOf(target, kind);
    const moved = path === undefined ? undefined : inCallFolder(path, best);
    return path !== undefined && !pipelines.has(path) && moved !== undefined && pipelines.has(moved);
  };
  const [firstCaller] = calls
    .filter(isOnlyThere)
    .map(({ caller }) => caller)
    .toSorted(compareTexts);
  return { folder, calledAs, resolved, fromProject, calls: total, firstCaller };
}

interface Candidate extends CallFolder {
  resolved: number;
  targets: number;
}

function bestCandidate(
  pipelines: ReadonlySet<string>,
  targets: readonly { readonly path: string; readonly count: number }[],
): Candidate | undefined {
  const foldersBefore = foldersBySuffix(pipelines);
  const candidates = new Map<string, Candidate>();
  const add = (folder: string, calledAs: string | undefined, count: number) => {
    const key = `${folder}\n${calledAs ?? ''}`;
    const candidate = candidates.get(key) ?? { folder, calledAs, resolved: 0, targets: 0 };
    candidate.resolved += count;
    candidate.targets += 1;
    candidates.set(key, candidate);
  };
  const names = commonStarts(targets);
  for (const { path, count } of targets)
    for (const [rest, calledAs] of restsOf(path))
      if (calledAs === undefined || names.has(calledAs))
        for (const folder of foldersBefore.get(rest) ?? [])
          if (folder !== '' || calledAs !== undefined) add(folder, calledAs, count);
  return [...candidates.values()]
    .filter(
      ({ calledAs, targets: count }) => count >= (calledAs === undefined ? minTargets : minRenamedTargets),
    )
    .toSorted(
      (a, b) =>
        b.resolved - a.resolved ||
        depthOf(a.calledAs ?? '') - depthOf(b.calledAs ?? '') ||
        depthOf(a.folder) - depthOf(b.folder) ||
        compareTexts(a.folder, b.folder),
    )[0];
}

/** The folders with which at least half of the calls begin: few, so that the search stays linear. */
function commonStarts(
  targets: readonly { readonly path: string; readonly count: number }[],
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { path, count } of targets)
    for (const [, before] of restsOf(path))
      if (before !== undefined) counts.set(before, (counts.get(before) ?? 0) + count);
  const total = targets.reduce((sum, { count }) => sum + count, 0);
  return new Set([...counts].flatMap(([start, count]) => (2 * count >= total ? [start] : [])));
}

/** For each end of a path that begins after a slash, or at its start: the folders that come before it in the paths. */
function foldersBySuffix(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths)
    for (const [suffix, folder = ''] of restsOf(path)) {
      const same = folders.get(suffix);
      if (same === undefined) folders.set(suffix, [folder]);
      else same.push(folder);
    }
  return folders;
}

/** The ends of a path, each with the folder before it: `a/b` is itself, and `b` after `a`. */
function restsOf(path: string): readonly (readonly [rest: string, before: string | undefined])[] {
  const rests: (readonly [string, string | undefined])[] = [[path, undefined]];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    rests.push([path.slice(at + 1), path.slice(0, at)]);
  return rests;
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

/** The file that a call names; undefined if the call can name no file of its kind. */
function pathOf(target: string, kind: PipelineKind): string | undefined {
  const path = fromRoot(target);
  if (path === '') return undefined;
  const written = kindOf(path);
  if (written !== undefined) return written === kind ? path : undefined;
  return path + suffixOf(kind);
}

/** A path without leading slashes and dots, which mean the root. */
export function fromRoot(target: string): string {
  return target.replace(/^(?:\.?\/)+/, '');
}

/** The path in the project to which a call refers; undefined if the call does not begin like calls of that folder. */
export function inCallFolder(target: string, { folder, calledAs }: CallFolder): string | undefined {
  const path = fromRoot(target);
  const before = calledAs === undefined ? '' : `${calledAs}/`;
  if (path === '' || !path.startsWith(before)) return undefined;
  return (folder === '' ? '' : `${folder}/`) + path.slice(before.length);
}

/** How calls write a path of the project, with or without suffix; undefined if calls cannot reach it. */
export function asCalled(path: string, root: CallFolder | undefined): string | undefined {
  if (root === undefined) return path;
  const before = root.folder === '' ? '' : `${root.folder}/`;
  if (!path.startsWith(before)) return undefined;
  return (root.calledAs === undefined ? '' : `${root.calledAs}/`) + path.slice(before.length);
}

const parameters: Readonly<Record<string, PipelineKind>> = {
  orchestrationJob: 'orchestration',
  transformationJob: 'transformation',
};

/** A parameter with a text: in quotes, or plain up to a comment or the next key. The text may continue in lines that are indented further. */
const parameterLine =
  /^([ \t]*)["']?(orchestrationJob|transformationJob)["']?[ \t]*:[ \t]+(?:"((?:[^"\\]|\\[^])*)"|'((?:[^']|'')*)'|([^\s"'|>&*!#[{][^\n]*(?:\n\1[ \t]+[^\s#][^\n]*)*))/gm;

/**
 * The calls in the text of a pipeline, found without parsing it, because parsing thousands of files takes time.
 * Block scalars, aliases, maps in braces and names with a variable are ignored.
 */
export function callsInText(caller: string, text: string): readonly WrittenCall[] {
  return Array.from(
    text.replaceAll('\r\n', '\n').matchAll(parameterLine),
    ([, , parameter = '', double, single, plain = '']) => ({
      caller,
      kind: parameters[parameter] ?? 'orchestration',
      target: unfolded(
        double === undefined ? (single?.replaceAll("''", "'") ?? withoutComment(plain)) : unescaped(double),
      ),
    }),
  ).filter(({ target }) => target !== '' && !target.includes('${'));
}

function withoutComment(plain: string): string {
  return plain.replace(/[ \t]#.*$/s, '').trimEnd();
}

/** The escapes that names have: quotes, backslashes, slashes, blanks, and the end of a line. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:(["\\/ ])|\n[ \t]*)/g, '$1');
}

/** A text without the ends of lines, which are blanks. */
function unfolded(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, ' ');
}

/** Whether calls are resolved from the project's own folder, as they are written. */
export function isOwnRoot({ folder, calledAs }: CallFolder): boolean {
  return folder === '' && calledAs === undefined;
}

/** The folder that has been used: the one in the settings, or the one that was found. */
export function takenRoot(
  set: CallFolder | undefined,
  found: FoundRoot | undefined,
): CallFolder | FoundRoot | undefined {
  return set === undefined || isOwnRoot(set) ? found : set;
}

/** The sentence that says from which folder calls are resolved. */
export function describeCallRoot(root: CallFolder | FoundRoot): string {
  const { folder, calledAs } = root;
  const place = folder === '' ? "the project's own folder" : `the folder "${folder}"`;
  const name = calledAs === undefined ? '' : ` under the name "${calledAs}"`;
  const start = `Calls between pipelines are resolved from ${place}${name}`;
  if (!('resolved' in root)) return `${start} (\`calls\` in millrace.yaml).`;
  const { resolved, calls, fromProject } = root;
  return `${start}: then ${resolved} of ${calls} calls lead to a pipeline, otherwise ${fromProject}.`;
}

/** The setting of `millrace.yaml` that names a folder. */
export function callRootSetting({ folder, calledAs }: CallFolder): string {
  const name = calledAs === undefined ? '' : `, called-as: ${JSON.stringify(calledAs)}`;
  return `calls: { root: ${JSON.stringify(folder === '' ? '.' : folder)}${name} }`;
}
