import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { sharedReferenceOf } from '../../../lib/pipelines/model/calls.ts';
import type { Snapshot } from '../snapshot.ts';

/** A shared pipeline that pipelines call. */
export interface SharedCallDifference {
  /** `prefix#id`. */
  readonly pipeline: string;
  /** The versions that pipelines of the live side ask for, as written; empty if they do not call it. */
  readonly before: readonly string[];
  /** The versions that pipelines of the wanted side ask for. */
  readonly after: readonly string[];
}

/** The version name in a call that does not name a version. */
export const latestVersion = '[Latest]';

/**
 * The calls of shared pipelines that a change affects: calls whose version differs, and calls from affected
 * pipelines. Without a live version, all calls.
 */
export function sharedCallDifferences(
  wanted: Snapshot,
  live: Snapshot | undefined,
  concerned: (pipeline: string) => boolean,
): readonly SharedCallDifference[] {
  const [after, before] = [callsIn(wanted), live === undefined ? new Map() : callsIn(live)] as const;
  return [...new Set([...before.keys(), ...after.keys()])].toSorted(compareTexts).flatMap((pipeline) => {
    const [was, is] = [before.get(pipeline), after.get(pipeline)];
    const call = { pipeline, before: versionsOf(was), after: versionsOf(is) };
    const isOther = live !== undefined && call.before.join('\n') !== call.after.join('\n');
    return isOther || [...(is?.callers ?? [])].some(concerned) ? [call] : [];
  });
}

interface SharedCalls {
  readonly versions: Set<string>;
  readonly callers: Set<string>;
}

/** The calls of shared pipelines whose names are known. */
function callsIn({ pipelines }: Snapshot): Map<string, SharedCalls> {
  const found = new Map<string, SharedCalls>();
  for (const { path, calls } of pipelines)
    for (const { kind, target, dynamic, version = latestVersion } of calls) {
      if (kind !== 'shared' || dynamic === true || sharedReferenceOf(target) === undefined) continue;
      const entry = found.get(target) ?? { versions: new Set(), callers: new Set() };
      entry.versions.add(version);
      entry.callers.add(path);
      found.set(target, entry);
    }
  return found;
}

function versionsOf(calls: SharedCalls | undefined): readonly string[] {
  return [...(calls?.versions ?? [])].toSorted(compareTexts);
}

/**
 * A shared pipeline that the project publishes and that does something different, so that consumers get something
 * different.
 */
export interface PublishedDifference {
  /** `prefix#id`. */
  readonly pipeline: string;
  /** `removed`: the project no longer publishes it. `affected`: it is the same, and something that it uses is not. */
  readonly change: 'added' | 'removed' | 'changed' | 'affected';
}

/** The shared pipelines of the project that do something different. */
export function publishedDifferences(
  { shared: now }: Pick<Snapshot, 'shared'>,
  { shared: before }: Pick<Snapshot, 'shared'>,
  { changed, affected }: { readonly changed: ReadonlySet<string>; readonly affected: ReadonlySet<string> },
): readonly PublishedDifference[] {
  const [list, old] = [now, before].map(
    (shared) =>
      new Map(shared?.pipelines.map((each) => [`${shared.prefix}#${each.id}`, each.path ?? each.pipeline])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...list.keys(), ...old.keys()])]
    .toSorted(compareTexts)
    .flatMap((pipeline): readonly PublishedDifference[] => {
      const [path, oldPath] = [list.get(pipeline), old.get(pipeline)];
      if (path === undefined) return [{ pipeline, change: 'removed' }];
      if (oldPath === undefined) return [{ pipeline, change: 'added' }];
      if (path !== oldPath || changed.has(path)) return [{ pipeline, change: 'changed' }];
      return affected.has(path) ? [{ pipeline, change: 'affected' }] : [];
    });
}
