import { releaseVersion } from '../../lib/config/release-version.ts';
import type { Repository } from '../../lib/git/repository.ts';
import type { PlatformContext } from '../context/context.ts';
import { type ArtifactVersion, listArtifacts } from '../versions/find-artifact.ts';
import { liveVersion } from '../versions/live-version.ts';

export interface DriftRequest {
  /** Its tags say what was released. */
  readonly repository: Pick<Repository, 'tags'>;
  /** Which tags are releases, and what their versions are called. */
  readonly release: { readonly tag: string; readonly version: string };
  /** Those of `millrace.yaml`; all of the platform's where it names none. */
  readonly environments: readonly string[];
  /** What makes the outcome `failed`: `unknown` versions and missing environments, or live versions `behind` too. */
  readonly failOn: 'unknown' | 'behind' | 'never';
}

/** One version in one environment, against the tags. */
export interface DriftVersion {
  readonly version: string;
  readonly enabled: boolean;
  readonly commit?: string;
  /** `unknown`: no tag is called so. `other-commit`: the tag stands for another commit than the version was made from. */
  readonly tagged: 'yes' | 'unknown' | 'other-commit';
}

export interface DriftEnvironment {
  readonly environment: string;
  /** False: `millrace.yaml` names it and the platform has none of that name. */
  readonly exists: boolean;
  /** What executions without a version name use (spec §4.4 rule 1). */
  readonly live?: string;
  /** Released versions that are newer than the live one; absent where the live one is no released version. */
  readonly behind?: number;
  readonly versions: readonly DriftVersion[];
}

export interface DriftReport {
  readonly outcome: 'passed' | 'failed';
  /** The newest released version; absent where there is no release tag. */
  readonly newest?: string;
  readonly environments: readonly DriftEnvironment[];
}

interface Released {
  readonly version: string;
  readonly commit: string;
}

/**
 * Compares what is enabled in each environment with the tags in git and `millrace.yaml`. Changes nothing.
 * Throws Failure 'git-failed', and what the client throws.
 */
export async function drift(request: DriftRequest, context: PlatformContext): Promise<DriftReport> {
  const { client, projectId, signal, progress } = context;
  const released = await releasedVersions(request, signal);
  // A set: a list that grows while its pages are read shows an environment twice.
  const existing = new Set<string>();
  for await (const { name } of client.environments.list({ projectId }, { signal })) existing.add(name);
  const names = request.environments.length === 0 ? existing : request.environments;

  const environments: DriftEnvironment[] = [];
  for (const environment of names) {
    progress.step(`Looking at ${environment}`);
    const exists = existing.has(environment);
    const versions = exists ? await listArtifacts(environment, context) : [];
    environments.push({ environment, exists, ...compare(versions, released) });
  }
  const failed = environments.some((one) => hasDrifted(one, request.failOn));
  const [newest] = released;
  return {
    outcome: failed ? 'failed' : 'passed',
    ...(newest === undefined ? {} : { newest: newest.version }),
    environments,
  };
}

/** What the tags stand for, newest first. */
async function releasedVersions(
  { repository, release }: DriftRequest,
  signal: AbortSignal,
): Promise<Released[]> {
  const tags = await repository.tags({ signal });
  return tags.flatMap(({ name, commit }) => {
    const version = releaseVersion(release, name, commit);
    return version === undefined ? [] : [{ version, commit }];
  });
}

function compare(
  versions: readonly ArtifactVersion[],
  released: readonly Released[],
): Pick<DriftEnvironment, 'live' | 'behind' | 'versions'> {
  const live = liveVersion(versions);
  const place = released.findIndex(({ version }) => version === live?.versionName);
  return {
    ...(live === undefined ? {} : { live: live.versionName }),
    ...(place < 0 ? {} : { behind: place }),
    versions: versions.map(({ versionName, enabled, commitHash }) => ({
      version: versionName,
      enabled,
      ...(commitHash ? { commit: commitHash } : {}),
      tagged: taggedAs(released, versionName, commitHash),
    })),
  };
}

function taggedAs(
  released: readonly Released[],
  name: string,
  commitHash: string | null | undefined,
): DriftVersion['tagged'] {
  const tag = released.find(({ version }) => version === name);
  if (tag === undefined) return 'unknown';
  // A version that does not say where it came from cannot contradict its tag.
  return commitHash && commitHash !== tag.commit ? 'other-commit' : 'yes';
}

/** A disabled version harms nobody, whatever it is. */
function hasDrifted(one: DriftEnvironment, failOn: DriftRequest['failOn']): boolean {
  if (failOn === 'never') return false;
  if (!one.exists || one.versions.some(({ enabled, tagged }) => enabled && tagged !== 'yes')) return true;
  return failOn === 'behind' && (one.behind ?? 0) > 0;
}
