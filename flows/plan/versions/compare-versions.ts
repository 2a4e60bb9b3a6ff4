import type { PlatformContext } from '../../context/context.ts';
import { missingVersion } from '../../context/explain-not-found.ts';
import { requireEnvironment } from '../../context/require-environment.ts';
import { enteredAt } from '../../../lib/core/values/listed-version.ts';
import type { Failure } from '../../../lib/core/errors/failure.ts';
import { type ArtifactVersion, listArtifacts } from '../../versions/find-artifact.ts';
import { compareWithLive, inEnvironment, olderVersion, type OrderGuard } from '../../versions/guard-order.ts';
import { liveVersion } from '../../versions/live-version.ts';
import { versionDisabled } from '../../versions/version-disabled.ts';

/** The promotion that a plan is about: version, source and target. */
export interface PlannedPromotion {
  readonly version: string;
  readonly from: string;
  readonly to: string;
}

/** Whether a promotion would make the version live, and if not, why. */
export const planResults = [
  'ready',
  'already-live',
  'already-in-target',
  'disabled-in-target',
  'missing-in-source',
  'disabled-in-source',
  'older-than-live',
] as const;
export type PlanResult = (typeof planResults)[number];

/** A version in an environment. */
export interface PlannedVersion {
  readonly version: string;
  /** As the platform says it, in lower case; left out if it does not. */
  readonly commit?: string;
  /** When it was published, ISO 8601. */
  readonly publishedAt: string;
  /** When it entered the environment, ISO 8601. */
  readonly since: string;
}

/** The versions in source and target, and the two versions to compare. */
export interface VersionLists {
  readonly inSource: readonly ArtifactVersion[];
  readonly inTarget: readonly ArtifactVersion[];
  /** The live version of the target; undefined if none is enabled. */
  readonly live: ArtifactVersion | undefined;
  /** The wanted version in the source; if the source lacks it, in the target. */
  readonly wanted: ArtifactVersion | undefined;
}

/** Reads the versions. Throws Failure 'not-found' for an environment that does not exist, and what the client throws. */
export async function readVersions(
  { version, from, to }: PlannedPromotion,
  context: PlatformContext,
): Promise<VersionLists> {
  const [inSource, inTarget] = await Promise.all([listArtifacts(from, context), listArtifacts(to, context)]);
  if (inSource.length === 0) await requireEnvironment(from, context, 'from');
  if (inTarget.length === 0) await requireEnvironment(to, context, 'to');
  const named = ({ versionName }: ArtifactVersion) => versionName === version;
  return {
    inSource,
    inTarget,
    live: liveVersion(inTarget),
    wanted: inSource.find(named) ?? inTarget.find(named),
  };
}

/** A listed version in the form that a plan shows. */
export function plannedVersion(artifact: ArtifactVersion): PlannedVersion {
  const commit = commitOf(artifact);
  return {
    version: artifact.versionName,
    ...(commit === undefined ? {} : { commit }),
    publishedAt: artifact.createdAt,
    since: enteredAt(artifact),
  };
}

/** The commit of a version according to the platform, in lower case; undefined if the platform does not say. */
export function commitOf({ commitHash }: Pick<ArtifactVersion, 'commitHash'>): string | undefined {
  return commitHash?.trim().toLowerCase() || undefined;
}

/** Whether a promotion would make the version live, with a sentence. */
export interface Conclusion {
  readonly result: PlanResult;
  readonly message: string;
  /** How to get the version live in spite of it. */
  readonly hint?: string;
  /** What is not known about the order of the versions: one sentence. */
  readonly unknown?: string;
}

/** Decides what `millrace promote` would do, by the same rules (decision 018 for the order). */
export async function concludeVersions(
  { version, from, to }: PlannedPromotion,
  { inSource, inTarget, live }: VersionLists,
  guard: Pick<OrderGuard, 'order' | 'commits' | 'tagOf'>,
): Promise<Conclusion> {
  const named = ({ versionName }: ArtifactVersion) => versionName === version;
  const [source, target] = [inSource.find(named), inTarget.find(named)];
  if (target?.enabled === false)
    return refused('disabled-in-target', versionDisabled({ version, environment: to }));
  if (target !== undefined && live?.versionName === version)
    return { result: 'already-live', message: `${version} is live in ${to}: there is nothing to promote.` };
  if (target !== undefined)
    return {
      result: 'already-in-target',
      message: `${version} is already in ${to}, but ${live?.versionName} is newer and live. A promotion would change nothing.`,
      hint: `To make ${version} live, roll back ${live?.versionName}: \`${inEnvironment(to, live?.versionName).goBack}\`.`,
    };
  if (source === undefined)
    return refused(
      'missing-in-source',
      missingVersion(
        version,
        from,
        inSource.map(({ versionName }) => versionName),
      ),
    );
  if (!source.enabled) return refused('disabled-in-source', versionDisabled({ version, environment: from }));
  const ready: Conclusion = {
    result: 'ready',
    message:
      live === undefined
        ? `${version} can be promoted from ${from} to ${to}, where no version is live.`
        : `${version} can be promoted from ${from} to ${to}, where it replaces ${live.versionName}.`,
  };
  if (live === undefined) return ready;
  const compared = await compareWithLive({ version, commit: async () => commitOf(source), live }, guard);
  if (compared.status === 'unknown')
    return {
      ...ready,
      unknown: `It is not known whether ${version} is newer than ${live.versionName}: the names have no order, and the commits cannot be compared (${compared.reason}).`,
    };
  if (compared.status === 'newest') return ready;
  return {
    result: 'older-than-live',
    message: `${version} is older than ${live.versionName}, which is live in ${to}.`,
    hint: olderVersion({ version, live, ...inEnvironment(to, live.versionName) }).hint,
  };
}

function refused(result: PlanResult, { message, hint }: Failure): Conclusion {
  return { result, message, hint };
}
