import { VersionDisabled } from '../../client/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { findArtifact, listArtifacts } from '../versions/find-artifact.ts';
import { liveVersion } from '../versions/live-version.ts';
import { versionDisabled } from '../versions/version-disabled.ts';
import { validateVersionName } from '../versions/version-name.ts';

export interface PromoteRequest {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
}

export interface PromoteReport {
  readonly outcome: 'passed' | 'already-done';
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /**
   * What executions without a version name use in the target afterwards (spec §4.4 rule 1), as the platform lists it;
   * absent where the list could not be read.
   */
  readonly live?: string;
  readonly dryRun: boolean;
}

/**
 * Promotes a version from one environment to another (spec §4.3); only what is absent is sent.
 * Throws Failure 'version-disabled' where the target holds the version disabled (promoting would hide that
 * somebody took it out), 'outcome-unknown', and what the client throws.
 */
export async function promote(request: PromoteRequest, context: PlatformContext): Promise<PromoteReport> {
  const { version, from, to, dryRun } = request;
  validateVersionName(version);
  if (from === to) {
    throw new Failure('usage', {
      message: `A version cannot be promoted from "${from}" to itself.`,
      where: { input: 'to' },
    });
  }
  const inTarget = await listArtifacts(to, context);
  const live = liveVersion(inTarget)?.versionName;
  const there = inTarget.find(({ versionName }) => versionName === version);
  if (there?.enabled === false) {
    throw versionDisabled({ version, environment: to });
  }
  if (there !== undefined) {
    return { ...request, outcome: 'already-done', ...(live === undefined ? {} : { live }) };
  }
  if (dryRun) {
    await refuseMissing(request, context);
    return { ...request, outcome: 'passed', live: version };
  }

  context.progress.step(`Promoting ${version} from ${from} to ${to}`);
  const { client, projectId, signal } = context;
  const input = { projectId, sourceEnvironmentName: from, targetEnvironmentName: to, versionName: version };
  try {
    await client.artifacts.promote(input, { signal });
  } catch (error) {
    // The answer was lost, and the list shows the version disabled. A 410 speaks of the source.
    const seen = error instanceof VersionDisabled ? await findArtifact(to, version, context) : undefined;
    if (seen?.enabled === false) throw versionDisabled({ version, environment: to });
    throw error;
  }
  const now = await liveNow(to, context);
  return { ...request, outcome: 'passed', ...(now === undefined ? {} : { live: now }) };
}

/** The list is read again at most so long: the promotion is done, and only what is live is still asked. */
const liveReadTimeoutMs = 10_000;

/** What the platform lists as live after the promotion; undefined where the list cannot be read, which undoes nothing. */
async function liveNow(to: string, context: PlatformContext): Promise<string | undefined> {
  try {
    return liveVersion(await listArtifacts(to, context, liveReadTimeoutMs))?.versionName;
  } catch (error) {
    context.logger.warn(`What is live in ${to} now could not be read.`, { error: String(error) });
    return undefined;
  }
}

/** That the version was promoted, and which one is used where it is another. */
export function describePromotion({
  version,
  from,
  to,
  live,
}: Pick<PromoteReport, 'version' | 'from' | 'to' | 'live'>): string {
  const done = `Promoted ${version} from ${from} to ${to}`;
  return live === undefined || live === version
    ? `${done}.`
    : `${done}, but the platform lists ${live} as the newest enabled version there: ${live} is live.`;
}

/** That the version was there, and which one is used where it is another. */
export function describeAlreadyThere({
  version,
  to,
  live,
}: Pick<PromoteReport, 'version' | 'to' | 'live'>): string {
  const there = `${version} is in ${to} already`;
  return live === undefined || live === version
    ? `${there}.`
    : `${there}, but ${live} is newer there and live: nothing was changed. To make ${version} the live one, roll ${live} back.`;
}

/** A plan that cannot succeed says so. */
async function refuseMissing({ version, from }: PromoteRequest, context: PlatformContext): Promise<void> {
  const source = await findArtifact(from, version, context);
  if (source?.enabled === true) return;
  throw new Failure(source === undefined ? 'not-found' : 'version-disabled', {
    message: `Version ${version} is ${source === undefined ? 'not in' : 'disabled in'} ${from}.`,
    where: { input: 'version' },
  });
}
