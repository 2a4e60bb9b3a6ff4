import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SnapshotCall, SnapshotPipeline } from '../snapshot.ts';
import { changedLine } from './changed-line.ts';
import type { ProjectFacts } from './project-facts.ts';

/** A pipeline that does something different from before, or whose scripts do. */
export interface ChangedPipeline {
  /** The path now; of a deleted pipeline, the old path. */
  readonly pipeline: string;
  /** The line of the first change; undefined for a pipeline that is deleted or left out. */
  readonly line: number | undefined;
  /** What has changed: the end of a sentence that begins with the pipeline. */
  readonly what: string;
}

/** Facts about files that are in neither snapshot. */
export interface KnownFiles {
  /** The old path of each renamed file, by its path now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Files of which nobody knows what they were, each with the reason: the end of a sentence. */
  readonly unknown: ReadonlyMap<string, string>;
}

/**
 * Finds the pipelines that do something different. A changed script changes the pipelines that run it; a call that
 * now leads to another pipeline changes the caller.
 */
export function changedPipelines(
  now: ProjectFacts,
  before: ProjectFacts,
  files: KnownFiles,
): readonly ChangedPipeline[] {
  const old = new Set(files.renamed.values());
  const gone = [...before.pipelines.keys(), ...before.snapshot.leftOut].filter(
    (path) => !now.has(path) && !old.has(path),
  );
  const leftOut = now.snapshot.leftOut.filter((path) => before.pipelines.has(path));
  const scripts = scriptDifferences(now, before, files);
  return [
    ...[...now.pipelines.values()].flatMap(
      (pipeline) => changeOf(pipeline, { now, before, files, scripts }) ?? [],
    ),
    ...gone.map((pipeline) => ({ pipeline, line: undefined, what: 'is deleted' })),
    ...leftOut.map((pipeline) => ({
      pipeline,
      line: undefined,
      what: 'is left out by `files` in millrace.yaml',
    })),
  ];
}

interface Sides {
  readonly now: ProjectFacts;
  readonly before: ProjectFacts;
  readonly files: KnownFiles;
  readonly scripts: ScriptDifferences;
}

function changeOf(
  pipeline: SnapshotPipeline,
  { now, before, files, scripts }: Sides,
): ChangedPipeline | undefined {
  const { path, line } = pipeline;
  const at = (place: number, what: string) => ({ pipeline: path, line: place, what });
  const oldPath = files.renamed.get(path) ?? path;
  const unknown = files.unknown.get(path);
  if (unknown !== undefined) return at(line, unknown);
  if (before.snapshot.warehouse !== now.snapshot.warehouse)
    return at(line, 'runs on another kind of warehouse');
  if (!before.has(oldPath)) return at(line, 'is new');
  if (oldPath !== path) return at(line, `was ${oldPath}`);
  const previous = before.pipelines.get(path);
  if (previous === undefined) return at(line, 'was left out by `files` in millrace.yaml');
  if (pipeline.digest !== previous.digest) {
    const changed = changedLine(pipeline, previous);
    return at(changed, `changed at line ${changed}`);
  }
  return changedScript(pipeline, scripts) ?? changedCall(pipeline, now, before);
}

interface ScriptDifferences {
  /** How a script is not as it was: the end of a sentence that begins with the file. */
  readonly of: (path: string) => string | undefined;
  /** All files that may differ. */
  readonly paths: readonly string[];
}

function scriptDifferences(
  now: ProjectFacts,
  before: ProjectFacts,
  { renamed, unknown }: KnownFiles,
): ScriptDifferences {
  const filesOf = ({ snapshot }: ProjectFacts) => new Map(snapshot.files.map((file) => [file.path, file]));
  const [files, oldFiles] = [filesOf(now), filesOf(before)];
  const newPaths = new Map([...renamed].map(([path, old]) => [old, path]));
  const of = (path: string): string | undefined => {
    const reason = unknown.get(path);
    if (reason !== undefined) return reason;
    const [file, old] = [files.get(path), oldFiles.get(path)];
    if (file === undefined && old === undefined) return undefined;
    if (old === undefined) return 'is new';
    if (file === undefined) return newPaths.has(path) ? `is now ${newPaths.get(path)}` : 'is deleted';
    return file.digest === old.digest ? undefined : 'changed';
  };
  const paths = [...new Set([...files.keys(), ...oldFiles.keys(), ...unknown.keys()])];
  return { of, paths: paths.toSorted(compareTexts) };
}

/** The first script of a pipeline that is not as it was. A name with a variable may mean each file that fits. */
function changedScript(
  { path: pipeline, scripts }: SnapshotPipeline,
  differences: ScriptDifferences,
): ChangedPipeline | undefined {
  const inOrder = scripts.toSorted((a, b) => Number(a.open ?? 0) - Number(b.open ?? 0) || a.line - b.line);
  for (const { path, line, open } of inOrder) {
    if (open === undefined) {
      const difference = differences.of(path);
      if (difference !== undefined) return { pipeline, line, what: `runs ${path}, which ${difference}` };
      continue;
    }
    const fits = new RegExp(`^${path.split('*').map(RegExp.escape).join('.*')}$`, 's');
    const file = differences.paths.find((each) => fits.test(each) && differences.of(each) !== undefined);
    if (file !== undefined)
      return {
        pipeline,
        line,
        what: `runs a file whose name is known only at run time: it may be ${file}, which ${differences.of(file)}`,
      };
  }
  return undefined;
}

/**
 * The first call of a pipeline that leads to another pipeline than before, although the pipeline itself is the same. A call whose
 * pipeline is new, deleted or renamed is left out: its pipeline is what changed.
 */
function changedCall(
  { path: pipeline, calls }: SnapshotPipeline,
  now: ProjectFacts,
  before: ProjectFacts,
): ChangedPipeline | undefined {
  const old = new Map(before.pipelines.get(pipeline)?.calls.map((call) => [call.component, call]));
  for (const call of calls.toSorted((a, b) => a.line - b.line)) {
    const was = old.get(call.component);
    const what =
      call.dynamic === true ? otherList(call, now, before) : was && otherTarget(call, was, { now, before });
    if (what !== undefined) return { pipeline, line: call.line, what };
  }
  return undefined;
}

function otherTarget(
  { target, path, own }: SnapshotCall,
  { path: old, own: wasOwn }: SnapshotCall,
  { now, before }: Pick<Sides, 'now' | 'before'>,
): string | undefined {
  if (path === old && own === wasOwn) return undefined;
  if (path === undefined && old !== undefined && !now.has(old)) return undefined;
  if (old === undefined && path !== undefined && !before.has(path)) return undefined;
  if (path === undefined)
    return old === undefined
      ? `calls ${target}, which is ${own === true ? 'now' : 'no longer'} a shared pipeline of this project`
      : `calls ${target}, which no longer leads to ${withoutSuffix(old)}`;
  return `calls ${target}, which now leads to ${path}${old === undefined ? '' : ` instead of ${old}`}`;
}

/** A shared pipeline whose id is known only at run time may be any of the list. */
function otherList(
  { kind, target }: SnapshotCall,
  now: ProjectFacts,
  before: ProjectFacts,
): string | undefined {
  if (kind !== 'shared') return undefined;
  const lists = [now.snapshot.shared, before.snapshot.shared];
  const split = target.indexOf('#');
  const prefix = split <= 0 || split === target.length - 1 ? '' : target.slice(0, split);
  if (!prefix.includes('${') && lists.every((list) => list?.prefix !== prefix)) return undefined;
  const [list, old] = lists.map((each) =>
    JSON.stringify(each && [each.prefix, each.pipelines.map(({ id, pipeline }) => [id, pipeline])]),
  );
  return list === old
    ? undefined
    : 'calls a shared pipeline that is known only at run time, and the list of shared pipelines changed';
}
