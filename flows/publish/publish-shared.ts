import { Conflict, NotFound, VersionDisabled } from '../../client/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/shared-pipelines.ts';
import type { PlatformContext } from '../context/context.ts';
import { declaredPipelines } from '../project/declared-pipelines.ts';
import { type RemovedSharedId, removedSharedIds, describeRemovedId } from '../versions/removed-shared-ids.ts';
import { keepEnabled } from './keep-enabled.ts';
import { type ManifestEntry, type ProjectSource, readProjectFiles } from '../project/project-files.ts';
import { type IgnoredResource, ignoredOf, uploadsOf } from './publish.ts';
import { sharedVersionDisabled } from '../versions/version-disabled.ts';
import { validateVersionName } from '../versions/version-name.ts';

export interface PublishSharedRequest extends ProjectSource {
  readonly prefix: string;
  readonly version: string;
  readonly branch?: string | undefined;
  /** `.platform`, or what the deployment calls it. */
  readonly configDir: string;
  /** Disable all versions but the newest ones, so many; all stay as they are where it is not given. */
  readonly keepEnabled?: number | undefined;
  readonly dryRun: boolean;
}

export interface PublishSharedReport {
  readonly outcome: 'passed' | 'already-done';
  readonly prefix: string;
  readonly version: string;
  readonly commit: string;
  readonly sharedPipelines: readonly string[];
  /** What was sent, or would be. Empty for `already-done`: of what is there the platform tells only the commit. */
  readonly files: readonly ManifestEntry[];
  readonly ignored: readonly IgnoredResource[];
  /** Ids that consumers of the version before will miss. */
  readonly gone: readonly RemovedSharedId[];
  /** Older versions that were disabled, by `keepEnabled`. */
  readonly disabled: readonly string[];
  readonly dryRun: boolean;
  /** What a dry run without the platform could not find out. */
  readonly unchecked?: readonly string[];
}

/**
 * Publishes the shared pipelines of a project as one version (spec §4.8). Idempotent: the prefix and version of
 * the same commit are `already-done`.
 * Throws Failure 'config-missing' without a shared-pipelines file, 'version-exists', 'version-disabled', and what
 * `publish` throws.
 */
export async function publishShared(
  request: PublishSharedRequest,
  context: PlatformContext,
): Promise<PublishSharedReport> {
  validateVersionName(request.version);
  const report = await publishOnce(request, context);
  const { prefix, version, dryRun, keepEnabled: keep } = request;
  if (keep === undefined) return report;
  const coming = dryRun ? version : undefined;
  return { ...report, disabled: await keepEnabled({ prefix, keep, coming, dryRun }, context) };
}

async function publishOnce(
  request: PublishSharedRequest,
  context: PlatformContext,
): Promise<PublishSharedReport> {
  const { client, progress, signal } = context;
  const { repository, prefix, version, branch, dryRun } = request;
  const commit = await repository.resolveCommit(request.commit);
  const declared = await declaredPipelines(request, commit);
  const sharedPipelines = declared.map(({ id }) => id);
  const known = { prefix, version, commit, sharedPipelines, ignored: [], disabled: [], dryRun };
  const look = () => publishedFrom(prefix, version, context);
  const there = await look();
  if (there !== undefined)
    return { ...known, files: [], gone: [], outcome: alreadyDone(request, there, commit) };

  const files = await readProjectFiles(
    { ...request, commit, always: [sharedPipelinesPath(request.configDir)] },
    context,
  );
  const manifest = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  const gone = await removedSharedIds(prefix, declared, context);
  for (const one of gone) context.logger.warn(describeRemovedId(one));
  const report = { ...known, files: manifest, gone };
  if (dryRun) return { ...report, outcome: 'passed' };

  progress.step(`Publishing the shared pipelines of ${prefix} as ${version}`);
  await using reader = repository.openBlobReader({ signal });
  const input = {
    sharedPipelineIdPrefix: prefix,
    versionName: version,
    commitHash: commit,
    ...(branch === undefined ? {} : { branch }),
    files: uploadsOf({ files, connectors: [] }, reader),
  };
  try {
    const answer = await client.sharedArtifacts.publish(input, { signal });
    return { ...report, outcome: 'passed', ignored: ignoredOf(answer?.ignoredResources) };
  } catch (error) {
    const seen = error instanceof Conflict || error instanceof VersionDisabled;
    const winner = seen ? await look() : undefined;
    if (winner === undefined) throw error;
    return { ...report, files: [], outcome: alreadyDone(request, winner, commit) };
  }
}

interface PublishedVersion {
  readonly commit: string | undefined;
  readonly enabled: boolean;
}

/** What a version was published from, and whether it is enabled; undefined where there is no such version. */
async function publishedFrom(
  prefix: string,
  version: string,
  { client, signal }: PlatformContext,
): Promise<PublishedVersion | undefined> {
  try {
    const { artifactDetails } = await client.sharedArtifacts.details(
      { sharedPipelineIdPrefix: prefix, versionName: version },
      { signal },
    );
    return { commit: artifactDetails.commitHash ?? undefined, enabled: artifactDetails.enabled };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function alreadyDone(
  { prefix, version }: PublishSharedRequest,
  there: PublishedVersion,
  commit: string,
): 'already-done' {
  if (there.commit === commit && !there.enabled) throw sharedVersionDisabled({ version, prefix });
  if (there.commit === commit) return 'already-done';
  throw new Failure('version-exists', {
    message: `Version ${version} of ${prefix} is published already, from commit ${there.commit ?? 'unknown'}; this is ${commit}. A shared version cannot be overwritten (spec §2.11).`,
    where: { input: 'version' },
    details: { prefix, version, publishedFrom: there.commit, commit },
  });
}
