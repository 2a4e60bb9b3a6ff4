import type { PlatformContext } from '../context/context.ts';
import { validatePromotion } from '../promote/state-before.ts';
import { cloneFacts } from '../versions/clone-facts.ts';
import { orderGuardOf } from '../versions/guard-order.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import {
  type CommitSource,
  compareCommits,
  isKnown,
  type NotKnown,
  type PlannedCommits,
  withoutPeriod,
} from './changes/compare-commits.ts';
import {
  compareProjects,
  type PlannedPipelines,
  type PlannedTables,
  type ProjectChanges,
} from './changes/compare-projects.ts';
import { type OpenedVersion, openVersion, reasonOf } from './changes/open-version.ts';
import { type PlannedSharedCall, sharedCalls } from './changes/shared-calls.ts';
import type { GatesAnswer, PlannedGate } from './gates.ts';
import { maxVariableReads, type PlannedVariables, plannedVariables } from './variables/planned-variables.ts';
import { variableUse } from './variables/used-variables.ts';
import {
  concludeVersions,
  type PlannedPromotion,
  type PlannedVersion,
  plannedVersion,
  type PlanResult,
  readVersions,
} from './versions/compare-versions.ts';
import { wayBack } from './versions/way-back.ts';

/** What a promotion will change. Equal states give equal plans: all lists have a fixed order, and nothing depends on the time. */
export interface Plan extends PlannedPromotion {
  readonly result: PlanResult;
  /** The result in one sentence. */
  readonly message: string;
  readonly hint?: string;
  /** The live version of the target; left out if none is enabled. */
  readonly live?: PlannedVersion;
  /** The wanted version in the source, or in the target if the source lacks it. */
  readonly wanted?: PlannedVersion;
  /** The version that becomes live if the wanted one is rolled back; left out if there is none. */
  readonly wayBack?: string;
  /** Left out, like the next three, if it is not known: `unknown` says why. */
  readonly commits?: PlannedCommits;
  readonly pipelines?: PlannedPipelines;
  readonly tables?: PlannedTables;
  readonly shared?: readonly PlannedSharedCall[];
  /** Left out if neither environment has the wanted version. */
  readonly variables?: PlannedVariables;
  /** The lanes of a worker from source to target; left out if no worker was asked. */
  readonly gates?: readonly PlannedGate[];
  /** What is not known, and why: one sentence each. */
  readonly unknown: readonly string[];
}

export interface PlanRequest extends PlannedPromotion {
  /** The repository of the project, and the project's folder in it; or why there is none, as the end of a sentence. */
  readonly source: Pick<CommitSource, 'repository' | 'directory'> | NotKnown;
  /** Reads the settings that count if the settings of the wanted commit are not known. */
  readonly settings: () => Promise<ProjectConfig>;
  readonly showValues: boolean;
  /** Asks a worker; default: there is none. */
  readonly gates?: (() => Promise<GatesAnswer>) | undefined;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
}

/**
 * Makes the plan of a promotion, and changes nothing. Pipelines of both versions are read from git's objects, with `millrace.yaml` of the
 * wanted commit. What cannot be found out is left out, and `unknown` says why. Throws Failure 'version-invalid', 'usage' for a promotion
 * from an environment to itself, 'not-found' for an environment that does not exist, and what the client throws.
 */
export async function makePlan(request: PlanRequest, context: PlatformContext): Promise<Plan> {
  const { version, from, to, source } = request;
  validatePromotion(request);
  context.progress.step(`Comparing ${version} with what is live in ${to}`);
  const lists = await readVersions(request, context);
  const live = lists.live && plannedVersion(lists.live);
  const wanted = lists.wanted && plannedVersion(lists.wanted);
  const opened = await openVersions({ live, wanted }, request, context);
  const settings = isKnown(opened.wanted.project) ? opened.wanted.project.config : await request.settings();
  const conclusion = await concludeVersions(request, lists, {
    ...orderGuardOf(settings, to, {
      older: 'refuse',
      commits: isKnown(source) ? [async () => cloneFacts(source.repository, context.signal)] : [],
    }),
  });
  const changes = await compareVersions(opened, request, context);
  const shared = await sharedOf(opened, changes.projects, context);
  const variables =
    wanted && (await plannedVariables({ ...request, ...scopeOf(opened, changes.projects) }, context));
  const gates = (await request.gates?.()) ?? { reason: 'no worker was asked' };
  const back = wanted === undefined ? undefined : wayBack(lists.inTarget, version);
  const { unknown: orderUnknown, ...concluded } = conclusion;
  return {
    version,
    from,
    to,
    ...concluded,
    ...(live === undefined ? {} : { live }),
    ...(wanted === undefined ? {} : { wanted }),
    ...(back === undefined ? {} : { wayBack: back }),
    ...(changes.commits === undefined ? {} : { commits: changes.commits }),
    ...changes.projects,
    ...(shared === undefined ? {} : { shared: shared.calls }),
    ...(variables === undefined ? {} : { variables }),
    ...('gates' in gates ? { gates: gates.gates } : {}),
    unknown: [
      ...(orderUnknown === undefined ? [] : [orderUnknown]),
      ...changes.unknown,
      ...(shared?.unknown ?? []),
      ...(variables === undefined || variables.notRead === 0
        ? []
        : [
            `${numberOf(variables.notRead, 'more variable was', 'more variables were')} not compared: the API has a request for each, and at most ${maxVariableReads} are read.`,
          ]),
      ...('reason' in gates
        ? [`It is not known what the gates of a worker still want: ${gates.reason}.`]
        : []),
    ],
  };
}

/** How a plan ends: failed if the version cannot be promoted. */
export function planOutcome({ result }: Pick<Plan, 'result'>): Outcome {
  if (result === 'ready') return 'passed';
  return result === 'already-live' || result === 'already-in-target' ? 'already-done' : 'failed';
}

interface OpenedVersions {
  readonly live: OpenedVersion;
  readonly wanted: OpenedVersion;
}

async function openVersions(
  {
    live,
    wanted,
  }: { readonly live: PlannedVersion | undefined; readonly wanted: PlannedVersion | undefined },
  { version, from, to, source }: PlanRequest,
  { signal }: PlatformContext,
): Promise<OpenedVersions> {
  const where = { source, signal };
  const opened = await openVersion({
    ...where,
    version: wanted,
    none: `${version} is not in ${from}`,
    fallback: undefined,
  });
  const fallback = isKnown(opened.project) ? opened.project.config : undefined;
  const none = `no version is live in ${to}`;
  return { wanted: opened, live: await openVersion({ ...where, version: live, none, fallback }) };
}

interface VersionChanges {
  readonly commits: PlannedCommits | undefined;
  readonly projects: ProjectChanges | undefined;
  readonly unknown: readonly string[];
}

async function compareVersions(
  { live, wanted }: OpenedVersions,
  { source, packages }: PlanRequest,
  { signal }: PlatformContext,
): Promise<VersionChanges> {
  if (!isKnown(source)) return notCompared(source);
  if (!isKnown(wanted.commit)) return notCompared(wanted.commit);
  if (!isKnown(live.commit)) return notCompared(live.commit);
  const from = { ...source, signal };
  const pair = { live: live.commit.commit, wanted: wanted.commit.commit };
  const commits = await compareCommits(pair, from);
  const isShallow = pair.live !== pair.wanted && (await source.repository.isShallow({ signal }));
  const projects = await compareOpened({ live: live.project, wanted: wanted.project }, from, packages);
  return {
    commits: isKnown(commits) ? commits : undefined,
    projects: isKnown(projects) ? projects.changes : undefined,
    unknown: [
      ...(isKnown(commits) ? [] : [`The commits cannot be compared: ${commits.reason}.`]),
      ...(isKnown(commits) && isShallow ? [shallowText] : []),
      ...(isKnown(projects)
        ? projects.unknown
        : [`The pipelines and tables cannot be compared: ${projects.reason}.`]),
    ],
  };
}

async function compareOpened(
  { live, wanted }: { readonly [Side in keyof OpenedVersions]: OpenedVersion['project'] },
  source: CommitSource,
  packages: string | undefined,
): Promise<{ readonly changes: ProjectChanges; readonly unknown: readonly string[] } | NotKnown> {
  if (!isKnown(wanted)) return wanted;
  if (!isKnown(live)) return live;
  try {
    const changes = await compareProjects({ live, wanted }, source, packages);
    const unread = [...new Set([...wanted.unread, ...live.unread])];
    return { changes, unknown: [...unknownParts(changes), ...unread] };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

const shallowText =
  'There may be more commits: this clone is shallow, and `git fetch --unshallow --tags` gets the whole history.';

function notCompared({ reason }: NotKnown): VersionChanges {
  const unknown = [`The commits, pipelines and tables cannot be compared: ${reason}.`];
  return { commits: undefined, projects: undefined, unknown };
}

function unknownParts({ pipelines, tables }: ProjectChanges): readonly string[] {
  return [
    ...(tables.areColumnsKnown ? [] : ['Columns are not known: DuckDB is not installed here.']),
    ...pipelines.unreadable.map(({ file, line, message }) => `${file}:${line}: ${withoutPeriod(message)}.`),
  ];
}

/** The calls of shared pipelines, if the wanted version can be read. Without a live version, all of them. */
async function sharedOf(
  { live: { project: live }, wanted: { project: wanted } }: OpenedVersions,
  changes: ProjectChanges | undefined,
  context: PlatformContext,
) {
  if (!isKnown(wanted)) return undefined;
  const concerned = changes && concernedPipelines(changes);
  return sharedCalls(
    {
      live: isKnown(live) ? live.project : undefined,
      wanted: wanted.project,
      concerned: (pipeline) => concerned?.has(pipeline) ?? true,
    },
    context,
  );
}

/** Which variables a plan compares: variables of affected pipelines; if these pipelines are not known, of all pipelines; otherwise all. */
function scopeOf({ wanted: { project: wanted } }: OpenedVersions, changes: ProjectChanges | undefined) {
  if (!isKnown(wanted)) return { scope: 'all' as const, isUsed: () => true };
  const { project } = wanted;
  if (changes === undefined)
    return { scope: 'used' as const, isUsed: variableUse(project, project.pipelines) };
  return { scope: 'affected' as const, isUsed: variableUse(project, [...concernedPipelines(changes)]) };
}

function concernedPipelines({ pipelines: { changed, affected } }: ProjectChanges): ReadonlySet<string> {
  return new Set([...changed, ...affected].map(({ pipeline }) => pipeline));
}
