import { releaseVersion } from '../../lib/config/project/release-version.ts';
import type { Repository } from '../../lib/git/repository.ts';
import type { PlatformContext } from '../context/context.ts';
import { unknownEnvironment } from '../context/require-environment.ts';
import { type ArtifactVersion, listArtifacts } from '../versions/find-artifact.ts';
import { liveVersion } from '../versions/live-version.ts';

export interface DriftRequest {
  /** The tags of this repository are the releases. */
  readonly repository: Pick<Repository, 'tags'>;
  /** Which tags are releases, and how their versions are named. */
  readonly release: { readonly tag: string; readonly version: string };
  /** The environments of `millrace.yaml`; if it lists none, all environments of the platform. */
  readonly environments: readonly string[];
  /** Environments to compare instead. The platform or `environments` must have each of them. */
  readonly only?: readonly string[];
  /**
   * What fails the check. `unknown`: enabled versions without a tag or from another commit than their tag’s, and missing
   * environments. `behind`: also outdated live versions.
   */
  readonly failOn: 'unknown' | 'behind' | 'never';
}

/** One version in one environment, compared with the tags. */
export interface DriftVersion {
  readonly version: string;
  readonly enabled: boolean;
  readonly commit?: string;
  /** `unknown`: no tag has this name. `other-commit`: the tag points to another commit than the version's. */
  readonly tagged: 'yes' | 'unknown' | 'other-commit';
}

export interface DriftEnvironment {
  readonly environment: string;
  /** False: `millrace.yaml` lists it, but it is not on the platform. */
  readonly exists: boolean;
  /** The version that executions without a version name use (spec §4.4 rule 1). */
  readonly live?: string;
  /** Number of released versions newer than the live one; absent if the live one is not a released version. */
  readonly behind?: number;
  readonly versions: readonly DriftVersion[];
}

export interface DriftReport {
  readonly outcome: 'passed' | 'failed';
  /** The newest released version; absent if there is no release tag. */
  readonly newest?: string;
  readonly environments: readonly DriftEnvironment[];
}

interface Released {
  readonly version: string;
  readonly commit: string;
}

/**
 * Compares what is enabled in each environment with the tags in git and `millrace.yaml`. Changes nothing.
 * Throws Failure 'git-failed', 'not-found' for an unknown name in `only`, and what the client throws.
 */
export async function drift(request: DriftRequest, context: PlatformContext): Promise<DriftReport> {
  const { client, projectId, signal, progress } = context;
  const released = await releasedVersions(request, signal);
  // A set, because a list that grows during the read shows an environment twice.
  const existing = new Set<string>();
  for await (const { name } of client.environments.list({ projectId }, { signal })) existing.add(name);
  const { environments: listed, only = [] } = request;
  for (const name of only) {
    const names = [...new Set([...existing, ...listed])];
    if (!names.includes(name)) throw unknownEnvironment(name, names);
  }
  const named = only.length > 0 ? only : listed;
  const names = named.length === 0 ? existing : named;

  const environments: DriftEnvironment[] = [];
  for (const environment of names) {
    progress.step(`Checking ${environment}`);
    const exists = existing.has(environment);
    const versions = exists ? await listArtifacts(environment, context) : [];
    environments.push({ environment, exists, ...compare(versions, released) });
  }
  const failed = environments.some((environment) => hasDrifted(environment, request.failOn));
  const [newest] = released;
  return {
    outcome: failed ? 'failed' : 'passed',
    ...(newest === undefined ? {} : { newest: newest.version }),
    environments,
  };
}

/** The released versions, newest first. */
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
  // A version without a commit cannot contradict its tag.
  return commitHash && commitHash !== tag.commit ? 'other-commit' : 'yes';
}

/** Disabled versions do not count as drift. */
function hasDrifted(environment: DriftEnvironment, failOn: DriftRequest['failOn']): boolean {
  if (failOn === 'never') return false;
  if (!environment.exists || environment.versions.some(({ enabled, tagged }) => enabled && tagged !== 'yes'))
    return true;
  return failOn === 'behind' && (environment.behind ?? 0) > 0;
}
