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

/** All versions in an environment, each once, disabled ones too, newest first; every page is read, each within `deadlineMs`. */
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
 * One version in an environment, as `listArtifacts` has it; undefined where it is not there. Every page is read: a later
 * one may hold the record of the version that counts.
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
    // A deployment that does not know the filter answers all environments.
    if (artifact.environmentName === environment) yield artifact;
  }
}
