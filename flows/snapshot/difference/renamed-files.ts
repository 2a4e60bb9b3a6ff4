import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { Snapshot, SnapshotPipeline } from '../snapshot.ts';

/** A pipeline is another one's new name if at least this part of their components means the same. */
const minSimilarity = 0.5;

/**
 * The old path of each file that was renamed: a file with the same digest, or a pipeline of the same kind with
 * mostly the same components. The most similar ones are paired first.
 */
export function renamedFiles(now: Snapshot, before: Snapshot): ReadonlyMap<string, string> {
  return new Map([...renamedPipelines(now, before), ...renamedScripts(now, before)]);
}

function renamedPipelines(now: Snapshot, before: Snapshot): ReadonlyMap<string, string> {
  const [added, gone] = [lacking(now, before), lacking(before, now)];
  if (added.length === 0 || gone.length === 0) return new Map();
  const byContent = new Map<string, SnapshotPipeline[]>();
  for (const pipeline of gone)
    for (const content of contentsOf(pipeline)) {
      const list = byContent.get(content);
      if (list === undefined) byContent.set(content, [pipeline]);
      else list.push(pipeline);
    }
  const pairs = added.flatMap((pipeline) => {
    const contents = contentsOf(pipeline);
    const shared = new Map<SnapshotPipeline, number>();
    for (const content of contents)
      for (const old of byContent.get(content) ?? []) shared.set(old, (shared.get(old) ?? 0) + 1);
    return [...shared]
      .filter(([old]) => kindOf(old.path) === kindOf(pipeline.path))
      .map(([old, count]) => ({
        path: pipeline.path,
        old: old.path,
        similarity:
          old.digest === pipeline.digest ? 1 : count / Math.max(contents.size, contentsOf(old).size),
      }));
  });
  return pairedOnce(pairs.filter(({ similarity }) => similarity >= minSimilarity));
}

interface Pair {
  readonly path: string;
  readonly old: string;
  readonly similarity: number;
}

function pairedOnce(pairs: readonly Pair[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  const best = pairs.toSorted(
    (a, b) => b.similarity - a.similarity || compareTexts(a.path, b.path) || compareTexts(a.old, b.old),
  );
  for (const { path, old } of best)
    if (!renamed.has(path) && !taken.has(old)) {
      renamed.set(path, old);
      taken.add(old);
    }
  return renamed;
}

function lacking(snapshot: Snapshot, other: Snapshot): readonly SnapshotPipeline[] {
  const paths = new Set([...other.pipelines.map(({ path }) => path), ...other.leftOut]);
  return snapshot.pipelines.filter(({ path }) => !paths.has(path));
}

/** What is compared: components by their digests; of a pipeline that cannot be read, the whole file. A start is in all of them. */
function contentsOf({ digest, unreadable, components }: SnapshotPipeline): ReadonlySet<string> {
  const counted = components.filter(({ type }) => type !== 'start');
  return new Set(
    unreadable !== undefined || counted.length === 0 ? [digest] : counted.map((each) => each.digest),
  );
}

function renamedScripts(now: Snapshot, before: Snapshot): ReadonlyMap<string, string> {
  const [paths, oldPaths] = [now, before].map(({ files }) => new Set(files.map(({ path }) => path))) as [
    Set<string>,
    Set<string>,
  ];
  const gone = Map.groupBy(
    before.files.filter(({ path }) => !paths.has(path)),
    ({ digest }) => digest,
  );
  return pairedOnce(
    now.files
      .filter(({ path }) => !oldPaths.has(path))
      .flatMap(({ path, digest }) =>
        (gone.get(digest) ?? []).map((old) => ({ path, old: old.path, similarity: 1 })),
      ),
  );
}
