import { numberOf } from '../../lib/core/number-of.ts';
import { Conflict, VersionDisabled } from '../../client/index.ts';
import type { BlobReader } from '../../lib/git/blob-reader.ts';
import { Failure } from '../../lib/core/failure.ts';
import { type ConnectorFile, fetchConnectors } from './connectors.ts';
import type { PlatformContext } from '../context/context.ts';
import { type ArtifactVersion, findArtifact } from '../versions/find-artifact.ts';
import {
  type ManifestEntry,
  type ProjectFile,
  type ProjectSource,
  readProjectFiles,
} from '../project/project-files.ts';
import { versionDisabled } from '../versions/version-disabled.ts';
import { validateVersionName } from '../versions/version-name.ts';

export interface PublishRequest extends ProjectSource {
  readonly version: string;
  readonly environment: string;
  readonly branch?: string | undefined;
  /** Fetch the account's connectors and add them (spec §2.6). */
  readonly connectors: boolean;
  /** Do everything but send. */
  readonly dryRun: boolean;
}

export interface IgnoredResource {
  readonly name: string;
  readonly reason: string;
}

export interface PublishReport {
  readonly outcome: 'passed' | 'already-done';
  readonly version: string;
  readonly environment: string;
  readonly commit: string;
  /** What was sent, or would be. Empty for `already-done`: of what is there the platform tells only the commit. */
  readonly files: readonly ManifestEntry[];
  readonly ignored: readonly IgnoredResource[];
  readonly dryRun: boolean;
  /** What a dry run without the platform could not find out. */
  readonly unchecked?: readonly string[];
}

/**
 * Publishes a project artifact under a version (spec §4.3), once, whatever is re-run: a version that is there
 * from the same commit is `already-done`.
 * Throws Failure 'version-exists' where it is there from another commit, 'version-disabled' where it is there from this
 * one and disabled, 'version-invalid',
 * 'nothing-to-publish', 'file-refused', 'outcome-unknown', and what the client throws.
 */
export async function publish(request: PublishRequest, context: PlatformContext): Promise<PublishReport> {
  validateVersionName(request.version);
  const { repository, environment, version, dryRun } = request;
  const commit = await repository.resolveCommit(request.commit);
  const known = { version, environment, commit, ignored: [], dryRun };
  const look = () => findArtifact(environment, version, context);
  const there = await look();
  if (there !== undefined) return { ...known, files: [], outcome: alreadyDone(there, commit) };

  context.progress.step(`Reading the files of ${commit.slice(0, 12)}`);
  const files = await readProjectFiles({ ...request, commit }, context);
  const connectors = request.connectors ? await fetchConnectors(context) : [];
  const manifest = [...files, ...connectors].map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  const report = { ...known, files: manifest };
  if (dryRun) return { ...report, outcome: 'passed' };

  context.progress.step(`Publishing ${numberOf(manifest.length, 'file')} as ${version} to ${environment}`);
  await using reader = repository.openBlobReader({ signal: context.signal });
  try {
    const ignored = await send(request, commit, reader, { files, connectors }, context);
    return { ...report, outcome: 'passed', ignored };
  } catch (error) {
    // Somebody published it between our look and our request, or while our answer was lost.
    const seen = error instanceof Conflict || error instanceof VersionDisabled;
    const winner = seen ? await look() : undefined;
    if (winner === undefined) throw error;
    return { ...known, files: [], outcome: alreadyDone(winner, commit) };
  }
}

async function send(
  request: PublishRequest,
  commit: string,
  reader: BlobReader,
  parts: { files: readonly ProjectFile[]; connectors: readonly ConnectorFile[] },
  { client, projectId, signal }: PlatformContext,
): Promise<IgnoredResource[]> {
  const answer = await client.artifacts.create(
    {
      projectId,
      versionName: request.version,
      environmentName: request.environment,
      commitHash: commit,
      ...(request.branch === undefined ? {} : { branch: request.branch }),
      files: uploadsOf(parts, reader),
    },
    { signal },
  );
  return ignoredOf(answer?.ignoredResources);
}

/** Git objects and connectors as form parts, opened one after the other while they are sent. */
export function uploadsOf(
  parts: { files: readonly ProjectFile[]; connectors: readonly ConnectorFile[] },
  reader: BlobReader,
) {
  return [
    ...parts.files.map(({ path, bytes, oid }) => ({ path, bytes, open: () => reader.stream(oid) })),
    ...parts.connectors.map(({ path, bytes, content }) => ({ path, bytes, open: () => content })),
  ];
}

export function ignoredOf(
  resources: readonly { name: string; reason?: string | null | undefined }[] | undefined,
): IgnoredResource[] {
  return (resources ?? []).map(({ name, reason }) => ({ name, reason: reason ?? 'no reason given' }));
}

function alreadyDone(there: ArtifactVersion, commit: string): 'already-done' {
  const { versionName, environmentName } = there;
  if (there.commitHash === commit && !there.enabled)
    throw versionDisabled({ version: versionName, environment: environmentName });
  if (there.commitHash === commit) return 'already-done';
  throw new Failure('version-exists', {
    message: `Version ${there.versionName} is in ${there.environmentName} already, from commit ${there.commitHash ?? 'unknown'}; this is ${commit}.`,
    where: { input: 'version' },
    details: {
      version: there.versionName,
      environment: there.environmentName,
      publishedFrom: there.commitHash,
      commit,
    },
  });
}
