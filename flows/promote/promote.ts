import { explainNotFound, missingVersion } from '../context/explain-not-found.ts';
import { requireEnvironment } from '../context/require-environment.ts';
import { VersionDisabled } from '../../client/index.ts';
import type { PlatformContext } from '../context/context.ts';
import { findArtifact, listArtifacts } from '../versions/find-artifact.ts';
import { guardOrder, inEnvironment, type OrderGuard } from '../versions/guard-order.ts';
import { liveVersion } from '../versions/live-version.ts';
import { versionDisabled } from '../versions/version-disabled.ts';
import { validatePromotion } from './state-before.ts';

export interface PromoteRequest {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
  /** Default: a version whose name is older than the name of the live one is refused. */
  readonly guard?: OrderGuard | undefined;
}

export interface PromoteReport {
  readonly outcome: 'passed' | 'already-done';
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /**
   * The version that executions without a version name use in the target afterwards (spec §4.4 rule 1), as the
   * platform lists it. Absent if the list could not be read.
   */
  readonly live?: string;
  readonly dryRun: boolean;
  /** The version is older than the one that was live, or could not be compared with it. */
  readonly warnings?: readonly string[];
}

/**
 * Promotes a version from one environment to another (spec §4.3), unless the target already has it.
 * Throws Failure 'version-disabled' if the version is disabled in the target (promoting would hide that a person
 * disabled it), 'older-version', 'outcome-unknown', and what the client throws.
 */
export async function promote(
  { guard, ...request }: PromoteRequest,
  context: PlatformContext,
): Promise<PromoteReport> {
  const { version, from, to, dryRun } = request;
  validatePromotion(request);
  const inTarget = await listArtifacts(to, context);
  const liveBefore = liveVersion(inTarget);
  const live = liveBefore?.versionName;
  const existing = inTarget.find(({ versionName }) => versionName === version);
  if (existing?.enabled === false) {
    throw versionDisabled({ version, environment: to });
  }
  if (existing !== undefined) {
    return { ...request, outcome: 'already-done', ...(live === undefined ? {} : { live }) };
  }
  const commit = async () => (await findArtifact(from, version, context))?.commitHash ?? undefined;
  const warnings = await guardOrder({ version, commit, live: liveBefore, ...inEnvironment(to, live) }, guard);
  const report = { ...request, ...(warnings.length === 0 ? {} : { warnings }) };
  if (dryRun) {
    if (inTarget.length === 0) await requireEnvironment(to, context, 'to');
    await refuseMissing(request, context);
    return { ...report, outcome: 'passed', live: version };
  }

  context.progress.step(`Promoting ${version} from ${from} to ${to}`);
  const { client, projectId, signal } = context;
  const input = { projectId, sourceEnvironmentName: from, targetEnvironmentName: to, versionName: version };
  try {
    const names = { environments: { from, to }, version: { name: version, environment: from } };
    await explainNotFound(names, context, () => client.artifacts.promote(input, { signal }));
  } catch (error) {
    // The answer was lost, and the list shows the version disabled. A 410 is about the source.
    const artifact = error instanceof VersionDisabled ? await findArtifact(to, version, context) : undefined;
    if (artifact?.enabled === false) throw versionDisabled({ version, environment: to });
    throw error;
  }
  const now = await liveNow(to, context);
  return { ...report, outcome: 'passed', ...(now === undefined ? {} : { live: now }) };
}

/** Time limit in milliseconds for reading the live version after the promotion. */
const liveReadTimeoutMs = 10_000;

/**
 * The live version after the promotion. `undefined` if the list cannot be read: the promotion has succeeded in any
 * case.
 */
async function liveNow(to: string, context: PlatformContext): Promise<string | undefined> {
  try {
    return liveVersion(await listArtifacts(to, context, liveReadTimeoutMs))?.versionName;
  } catch (error) {
    context.logger.warn('The live version could not be read.', { environment: to, error: String(error) });
    return undefined;
  }
}

/** A dry run fails if the version cannot be promoted. */
async function refuseMissing({ version, from }: PromoteRequest, context: PlatformContext): Promise<void> {
  const versions = await listArtifacts(from, context);
  const source = versions.find(({ versionName }) => versionName === version);
  if (source?.enabled === true) return;
  if (source !== undefined) throw versionDisabled({ version, environment: from });
  if (versions.length === 0) await requireEnvironment(from, context, 'from');
  throw missingVersion(
    version,
    from,
    versions.map(({ versionName }) => versionName),
  );
}
