import { onePerVersion } from '../../lib/core/listed-version.ts';
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
  const versions: ArtifactVersion[] = [];
  for await (const artifact of artifactsIn(environment, context, deadlineMs)) versions.push(artifact);
  return newestFirst(onePerVersion(versions));
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
  const versions = await listArtifacts(environment, context);
  return versions.find(({ versionName }) => versionName === version);
}

async function* artifactsIn(
  environment: string,
  { client, projectId, signal }: PlatformContext,
  deadlineMs?: number,
): AsyncGenerator<ArtifactVersion> {
  const list = client.artifacts.list(
    { projectId, environmentName: environment, includeDisabled: true, size: 100 },
    { signal, deadlineMs },
  );
  for await (const artifact of list) {
    // A deployment that ignores the filter returns all environments.
    if (artifact.environmentName === environment) yield artifact;
  }
}
