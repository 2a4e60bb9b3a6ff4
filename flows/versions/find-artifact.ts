import { onePerVersion } from '../../lib/core/values/listed-version.ts';
import type { PlatformContext } from '../context/context.ts';
import { newestFirst } from './live-version.ts';

/** An artifact version as the list shows it (docs/unknowns.md: the answer is not shown in the specification). */
export interface ArtifactVersion {
  readonly versionName: string;
  readonly environmentName: string;
  readonly commitHash?: string | null | undefined;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly deployedAt?: string | null | undefined;
}

/**
 * All versions in an environment, each once, including disabled ones, newest first. Reads every page, each within
 * `deadlineMs`.
 */
export async function listArtifacts(
  environment: string,
  context: PlatformContext,
  deadlineMs?: number,
): Promise<ArtifactVersion[]> {
  return newestFirst(onePerVersion(await artifactsIn(environment, context, deadlineMs)));
}

/**
 * One version in an environment, as in `listArtifacts`; `undefined` if it does not exist. Reads every page, because a
 * later page may hold the record that counts.
 */
export async function findArtifact(
  environment: string,
  version: string,
  context: PlatformContext,
): Promise<ArtifactVersion | undefined> {
  const records = await artifactsIn(environment, context);
  const [artifact] = onePerVersion(records.filter(({ versionName }) => versionName === version));
  return artifact;
}

async function artifactsIn(
  environment: string,
  { client, projectId, signal }: PlatformContext,
  deadlineMs?: number,
): Promise<readonly ArtifactVersion[]> {
  const list = client.artifacts.list(
    { projectId, environmentName: environment, includeDisabled: true, size: 100 },
    { signal, deadlineMs },
  );
  const artifacts: ArtifactVersion[] = [];
  // Page by page: to wait for each artifact costs more than to read it.
  for await (const { results } of list.pages()) {
    // A deployment that ignores the filter returns all environments.
    artifacts.push(...results.filter(({ environmentName }) => environmentName === environment));
  }
  return artifacts;
}
