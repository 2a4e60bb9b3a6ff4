import { RoleRequired } from '../../../client/index.ts';
import type { PlatformContext } from '../../context/context.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { latestShared } from '../../versions/removed-shared-ids.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { callsOf, sharedReferenceOf } from '../../../lib/pipelines/model/calls.ts';

/** A shared pipeline that changed or affected pipelines of the wanted version call. */
export interface PlannedSharedCall {
  /** `prefix#id`. */
  readonly pipeline: string;
  /** The versions that the pipelines of the live version ask for, as written; empty if they do not call it. */
  readonly before: readonly string[];
  /** The versions that the pipelines of the wanted version ask for. */
  readonly after: readonly string[];
  /** The version that `[Latest]` means now, in every environment; left out if no call asks for it or it is not known. */
  readonly latest?: string;
}

export interface PlannedSharedCalls {
  readonly calls: readonly PlannedSharedCall[];
  /** What is not known: one sentence each. */
  readonly unknown: readonly string[];
}

const latest = '[Latest]';

/** How many prefixes are asked for: a request for each. */
const maxPrefixes = 20;

/**
 * The calls of shared pipelines that a promotion concerns: calls whose version differs, and calls of the given pipelines.
 * @param concerned whether a pipeline of the wanted project is changed or affected
 */
export async function sharedCalls(
  {
    live,
    wanted,
    concerned,
  }: {
    readonly live: TestProject | undefined;
    readonly wanted: TestProject;
    readonly concerned: (pipeline: string) => boolean;
  },
  context: PlatformContext,
): Promise<PlannedSharedCalls> {
  const [before, after] = [
    live === undefined ? new Map<string, SharedCalls>() : callsIn(live),
    callsIn(wanted),
  ];
  const pipelines = [...new Set([...before.keys(), ...after.keys()])].filter((pipeline) => {
    const [was, now] = [before.get(pipeline), after.get(pipeline)];
    return (
      (live !== undefined && versionsOf(was).join('\n') !== versionsOf(now).join('\n')) ||
      [...(now?.callers ?? [])].some(concerned)
    );
  });
  const asksLatest = pipelines.filter((pipeline) => versionsOf(after.get(pipeline)).includes(latest));
  const prefixes = [...new Set(asksLatest.map(prefixOf))].toSorted(compareTexts);
  const known = new Map<string, Meant>();
  for (const prefix of prefixes.slice(0, maxPrefixes)) known.set(prefix, await meantBy(prefix, context));
  return {
    calls: pipelines.toSorted(compareTexts).map((pipeline) => {
      const meant = asksLatest.includes(pipeline) ? known.get(prefixOf(pipeline)) : undefined;
      return {
        pipeline,
        before: versionsOf(before.get(pipeline)),
        after: versionsOf(after.get(pipeline)),
        ...(meant !== undefined && 'version' in meant ? { latest: meant.version } : {}),
      };
    }),
    unknown: [
      ...[...known].flatMap(([prefix, meant]) =>
        'reason' in meant
          ? [`It is not known which version ${latest} of ${prefix} means: ${meant.reason}.`]
          : [],
      ),
      ...(prefixes.length > maxPrefixes
        ? [
            `It is not known which version ${latest} means for ${numberOf(prefixes.length - maxPrefixes, 'more prefix', 'more prefixes')}: at most ${maxPrefixes} are read.`,
          ]
        : []),
    ],
  };
}

interface SharedCalls {
  readonly versions: Set<string>;
  readonly callers: Set<string>;
}

/** The calls of shared pipelines whose names are known. */
function callsIn(project: TestProject): ReadonlyMap<string, SharedCalls> {
  const calls = new Map<string, SharedCalls>();
  for (const path of project.pipelines.filter((each) => !project.isHidden(each)))
    for (const { kind, target, dynamic, version = latest } of callsOfPath(path, project)) {
      if (kind !== 'shared' || dynamic || sharedReferenceOf(target) === undefined) continue;
      const entry = calls.get(target) ?? { versions: new Set(), callers: new Set() };
      entry.versions.add(version);
      entry.callers.add(path);
      calls.set(target, entry);
    }
  return calls;
}

function callsOfPath(path: string, project: TestProject) {
  const document = project.pipeline(path);
  return document === undefined ? [] : callsOf(document);
}

function versionsOf(calls: SharedCalls | undefined): readonly string[] {
  return [...(calls?.versions ?? [])].toSorted(compareTexts);
}

function prefixOf(pipeline: string): string {
  return sharedReferenceOf(pipeline)?.prefix ?? '';
}

type Meant = { readonly version: string } | { readonly reason: string };

/** `reason`: why it is not known, as the end of a sentence. */
async function meantBy(prefix: string, context: PlatformContext): Promise<Meant> {
  try {
    const details = await latestShared(prefix, context);
    return details === undefined
      ? { reason: 'no version is enabled, so a call fails' }
      : { version: details.artifactDetails.versionName };
  } catch (error) {
    if (error instanceof RoleRequired)
      return { reason: 'the token may not read the versions of shared pipelines' };
    throw error;
  }
}
