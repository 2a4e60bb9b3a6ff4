import type { PlatformContext } from '../context/context.ts';
import { validatePromotion } from '../promote/state-before.ts';
import { cloneFacts } from '../versions/clone-facts.ts';
import { orderGuardOf } from '../versions/guard-order.ts';
import {
  type PipelineDifferences,
  type SnapshotDifference,
  type TableDifferences,
  namesOfVariables,
} from '../snapshot/difference/difference-of.ts';
import { sharedCallDifferences } from '../snapshot/difference/shared-pipelines.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { listText } from '../../lib/core/text/list-text.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Remote } from '../../lib/git/repository-setup.ts';
import {
  type CommitSource,
  compareCommits,
  compareLink,
  isKnown,
  type NotKnown,
  type PlannedCommits,
  withoutPeriod,
} from './changes/compare-commits.ts';
import { type ComparedSnapshots, compareSnapshots, isSnapshotOf } from './changes/compare-snapshots.ts';
import { type OpenedVersion, openVersion } from './changes/open-version.ts';
import {
  type PlannedPublication,
  plannedPublication,
  type PlannedSharedCall,
  sharedCalls,
} from './changes/shared-calls.ts';
import type { GatesAnswer, PlannedGate } from './gates.ts';
import { maxVariableReads, type PlannedVariables, plannedVariables } from './variables/planned-variables.ts';
import {
  concludeVersions,
  type PlannedPromotion,
  type PlannedVersion,
  plannedVersion,
  type PlanResult,
  readVersions,
} from './versions/compare-versions.ts';
import { compareWorkerPlans } from './compare-worker-plan.ts';
import { wayBack } from './versions/way-back.ts';

/**
 * What a promotion will change. The same state gives the same plan: all lists have a fixed order, and nothing
 * depends on the time.
 */
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
  readonly pipelines?: PipelineDifferences;
  readonly tables?: TableDifferences;
  readonly shared?: readonly PlannedSharedCall[];
  /** Left out if the project publishes no shared pipeline that is not as it was, or if it is not known. */
  readonly published?: PlannedPublication;
  /** The connectors that changed and affected pipelines read. */
  readonly connectors?: readonly string[];
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
  /** Where the repository is hosted; default: not known. */
  readonly remote?: Remote | undefined;
  /** Reads the settings that count if the settings of the wanted commit are not known. */
  readonly settings: () => Promise<ProjectConfig>;
  readonly showValues: boolean;
  /** Asks a worker; default: there is none. */
  readonly gates?: (() => Promise<GatesAnswer>) | undefined;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
}

/**
 * Makes the plan of a promotion, without changing anything. Reads the pipelines of both versions from git's
 * objects, with the `millrace.yaml` of the wanted commit. Facts that cannot be found out are left out, and
 * `unknown` says why. Throws Failure 'version-invalid', 'usage' for a promotion from an environment to itself,
 * 'not-found' for an environment that does not exist, and what the client throws.
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
  const shared = await sharedOf(changes, context);
  const published = await plannedPublication(changes.difference?.published ?? [], context);
  const variables = wanted && (await plannedVariables({ ...request, ...scopeOf(changes) }, context));
  const gates = (await request.gates?.()) ?? { reason: 'no worker was asked' };
  const back = wanted === undefined ? undefined : wayBack(lists.inTarget, version);
  const isSnapshot = isSnapshotOf({ live: opened.live.project, wanted: opened.wanted.project }, changes, {
    packages: request.packages,
    signal: context.signal,
  });
  const own = { version, from, to, lists, wayBack: back, variables, isSnapshot };
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
    ...(changes.difference === undefined
      ? {}
      : {
          pipelines: changes.difference.pipelines,
          tables: changes.difference.tables,
          connectors: changes.difference.connectors,
        }),
    ...(shared === undefined ? {} : { shared: shared.calls }),
    ...(published === undefined ? {} : { published: published.publication }),
    ...(variables === undefined ? {} : { variables }),
    ...('gates' in gates ? { gates: await compareWorkerPlans(gates.gates, own) } : {}),
    unknown: [
      ...(orderUnknown === undefined ? [] : [orderUnknown]),
      ...changes.unknown,
      ...(shared?.unknown ?? []),
      ...(published?.unknown ?? []),
      ...neverKnown(changes, { live, variables }),
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

/** What neither git nor the platform says. */
function neverKnown(
  { commits, difference }: VersionChanges,
  { live, variables }: { readonly [Key in 'live' | 'variables']: Plan[Key] | undefined },
): readonly string[] {
  const connectors = difference?.connectors ?? [];
  return [
    ...(commits?.link === undefined || commits.added.count === 0
      ? []
      : ['Pull requests are known from the subjects of commits only, and their reviewers are not known.']),
    ...(connectors.length === 0
      ? []
      : [
          `It is not known whether connectors differ (${listText(connectors)}): each version has its own copies, and the platform does not show them.`,
        ]),
    ...(live === undefined || variables === undefined || variables.read === 0
      ? []
      : [
          `It is not known which variables changed since ${live.version} became live: the platform keeps no history of them.`,
        ]),
  ];
}

/** The outcome of a plan: failed if the version cannot be promoted. */
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

interface VersionChanges extends Pick<ComparedSnapshots, 'live' | 'wanted'> {
  readonly commits: PlannedCommits | undefined;
  readonly difference: SnapshotDifference | undefined;
  readonly unknown: readonly string[];
}

async function compareVersions(
  { live, wanted }: OpenedVersions,
  { source, packages, remote }: PlanRequest,
  { signal }: PlatformContext,
): Promise<VersionChanges> {
  const snapshots = await compareSnapshots(
    { live: live.project, wanted: wanted.project },
    { packages, signal },
  );
  const notCompared = ({ reason }: NotKnown): VersionChanges => ({
    ...snapshots,
    commits: undefined,
    difference: undefined,
    unknown: [`The commits, pipelines and tables cannot be compared: ${reason}.`],
  });
  if (!isKnown(source)) return notCompared(source);
  if (!isKnown(wanted.commit)) return notCompared(wanted.commit);
  if (!isKnown(live.commit)) return notCompared(live.commit);
  const pair = { live: live.commit.commit, wanted: wanted.commit.commit };
  const commits = await compareCommits(pair, { ...source, signal });
  const isShallow = pair.live !== pair.wanted && (await source.repository.isShallow({ signal }));
  const link = compareLink(remote, pair);
  const { difference } = snapshots;
  return {
    ...snapshots,
    commits: isKnown(commits) ? { ...commits, ...(link === undefined ? {} : { link }) } : undefined,
    difference: isKnown(difference) ? difference : undefined,
    unknown: [
      ...(isKnown(commits) ? [] : [`The commits cannot be compared: ${commits.reason}.`]),
      ...(isKnown(commits) && isShallow ? [shallowText] : []),
      ...(isKnown(difference)
        ? unknownParts(difference, snapshots)
        : [`The pipelines and tables cannot be compared: ${difference.reason}.`]),
    ],
  };
}

const shallowText =
  'There may be more commits: this clone is shallow, and `git fetch --unshallow --tags` gets the whole history.';

function unknownParts(
  { pipelines, tables }: SnapshotDifference,
  { live, wanted }: ComparedSnapshots,
): readonly string[] {
  return [
    ...(tables.areColumnsKnown ? [] : ['Columns are not known: DuckDB is not installed here.']),
    ...pipelines.unreadable.map(({ file, line, message }) => `${file}:${line}: ${withoutPeriod(message)}.`),
    ...new Set([...(wanted?.unread ?? []), ...(live?.unread ?? [])]),
  ];
}

/** The calls of shared pipelines, if the wanted version can be read. Without a live version, all of them. */
async function sharedOf({ difference, wanted }: VersionChanges, context: PlatformContext) {
  if (wanted === undefined) return undefined;
  const calls = difference?.shared ?? sharedCallDifferences(wanted, undefined, () => true);
  return sharedCalls(calls, context);
}

/** Which variables a plan compares: variables of affected pipelines; if these pipelines are not known, of all pipelines; otherwise all. */
function scopeOf({ difference, wanted }: VersionChanges) {
  if (wanted === undefined) return { scope: 'all' as const, isUsed: () => true };
  const scope = difference === undefined ? ('used' as const) : ('affected' as const);
  const names = new Set(namesOfVariables(wanted, difference));
  return { scope, isUsed: (variable: string) => names.has(variable) };
}
