import { explainNotFound } from '../context/explain-not-found.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { Conflict, VersionDisabled } from '../../client/index.ts';
import type { BlobReader } from '../../lib/git/objects/blob-reader.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { type ConnectorFile, fetchConnectors } from './connectors.ts';
import type { PlatformContext } from '../context/context.ts';
import { type ArtifactVersion, findArtifact, listArtifacts } from '../versions/find-artifact.ts';
import { guardOrder, inEnvironment, type OrderGuard } from '../versions/guard-order.ts';
import { liveVersion } from '../versions/live-version.ts';
import {
  type ManifestEntry,
  manifestOf,
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
  /** Do everything except sending. */
  readonly dryRun: boolean;
  /** Default: a version whose name is older than the name of the live one is refused. */
  readonly guard?: OrderGuard | undefined;
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
  /**
   * The files that were or would be sent. Empty for `already-done`: the platform shows only the commit of a published
   * version.
   */
  readonly files: readonly ManifestEntry[];
  readonly ignored: readonly IgnoredResource[];
  readonly dryRun: boolean;
  /** What a dry run without the platform could not check. */
  readonly unchecked?: readonly string[];
  /** The version is older than the one that was live, or could not be compared with it. */
  readonly warnings?: readonly string[];
}

/**
 * Publishes a project artifact as a version (spec §4.3). Idempotent: the outcome is `already-done` if the environment
 * already has the version from the same commit.
 * Throws Failure 'version-exists' if the version exists from another commit, 'version-disabled' if it exists from
 * this commit and is disabled, 'older-version', 'version-invalid', 'nothing-to-publish', 'file-refused', 'outcome-unknown', and what
 * the client throws.
 */
export async function publish(request: PublishRequest, context: PlatformContext): Promise<PublishReport> {
  validateVersionName(request.version);
  const { repository, environment, version, dryRun } = request;
  const commit = await repository.resolveCommit(request.commit);
  const common = { version, environment, commit, ignored: [], dryRun };
  const versions = await listArtifacts(environment, context);
  const existing = versions.find(({ versionName }) => versionName === version);
  if (existing !== undefined) return { ...common, files: [], outcome: alreadyDone(existing, commit) };
  const live = liveVersion(versions);
  const warnings = await guardOrder(
    { version, commit: async () => commit, live, ...inEnvironment(environment, live?.versionName) },
    request.guard,
  );

  context.progress.step(`Reading the files of ${commit.slice(0, 12)}`);
  const files = await readProjectFiles({ ...request, commit }, context);
  const connectors = request.connectors ? await fetchConnectors(context) : [];
  const manifest = manifestOf(files, connectors);
  const report = { ...common, files: manifest, ...(warnings.length === 0 ? {} : { warnings }) };
  if (dryRun) return { ...report, outcome: 'passed' };

  context.progress.step(`Publishing ${numberOf(manifest.length, 'file')} as ${version} to ${environment}`);
  await using reader = repository.openBlobReader({ signal: context.signal });
  try {
    const ignored = await send(request, commit, reader, { files, connectors }, context);
    return { ...report, outcome: 'passed', ignored };
  } catch (error) {
    // Another process published it between our check and our request, or our answer was lost.
    const mayExist = error instanceof Conflict || error instanceof VersionDisabled;
    const winner = mayExist ? await findArtifact(environment, version, context) : undefined;
    if (winner === undefined) throw error;
    return { ...common, files: [], outcome: alreadyDone(winner, commit) };
  }
}

async function send(
  request: PublishRequest,
  commit: string,
  reader: BlobReader,
  parts: { files: readonly ProjectFile[]; connectors: readonly ConnectorFile[] },
  context: PlatformContext,
): Promise<IgnoredResource[]> {
  const { client, projectId, signal } = context;
  const { version, environment } = request;
  const answer = await explainNotFound({ environments: { environment } }, context, () =>
    client.artifacts.create(
      {
        projectId,
        versionName: version,
        environmentName: environment,
        commitHash: commit,
        ...(request.branch === undefined ? {} : { branch: request.branch }),
        files: uploadsOf(parts, reader),
      },
      { signal },
    ),
  );
  return ignoredOf(answer?.ignoredResources);
}

/** Git objects and connectors as form parts. Each is opened when it is sent. */
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

function alreadyDone(existing: ArtifactVersion, commit: string): 'already-done' {
  const { versionName, environmentName } = existing;
  if (existing.commitHash === commit && !existing.enabled)
    throw versionDisabled({ version: versionName, environment: environmentName });
  if (existing.commitHash === commit) return 'already-done';
  throw new Failure('version-exists', {
    message:
      `Version ${versionName} is already in ${environmentName}` +
      (existing.commitHash
        ? `, published from commit ${existing.commitHash}. You are publishing commit ${commit}.`
        : '; the platform does not say from which commit.'),
    hint: 'Publish this commit under a new version name.',
    where: { input: 'version' },
    details: {
      version: existing.versionName,
      environment: existing.environmentName,
      publishedFrom: existing.commitHash,
      commit,
    },
  });
}
