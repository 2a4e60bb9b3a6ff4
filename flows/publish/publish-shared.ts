import { Conflict, NotFound, VersionDisabled } from '../../client/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import type { PlatformContext } from '../context/context.ts';
import { declaredPipelines, uploadedPipelines } from '../project/declared-pipelines.ts';
import { guardOrder, type OrderGuard } from '../versions/guard-order.ts';
import {
  describeRemovedId,
  latestShared,
  type RemovedSharedId,
  removedSharedIds,
} from '../versions/removed-shared-ids.ts';
import { keepEnabled } from './keep-enabled.ts';
import {
  type ManifestEntry,
  manifestOf,
  type ProjectSource,
  readProjectFiles,
} from '../project/project-files.ts';
import { type IgnoredResource, ignoredOf, uploadsOf } from './publish.ts';
import { sharedVersionDisabled } from '../versions/version-disabled.ts';
import { validateVersionName } from '../versions/version-name.ts';

export interface PublishSharedRequest extends ProjectSource {
  readonly prefix: string;
  readonly version: string;
  readonly branch?: string | undefined;
  /** Configuration folder of the deployment, usually `.platform`. */
  readonly configDir: string;
  /** Keep this number of newest versions enabled and disable the others. If absent, no version is disabled. */
  readonly keepEnabled?: number | undefined;
  readonly dryRun: boolean;
  /** Default: a version whose name is older than the name of the newest enabled one is refused. */
  readonly guard?: OrderGuard | undefined;
}

export interface PublishSharedReport {
  readonly outcome: 'passed' | 'already-done';
  readonly prefix: string;
  readonly version: string;
  readonly commit: string;
  readonly sharedPipelines: readonly string[];
  /**
   * The files that were or would be sent. Empty for `already-done`: the platform shows only the commit of a published
   * version.
   */
  readonly files: readonly ManifestEntry[];
  readonly ignored: readonly IgnoredResource[];
  /** Shared pipeline ids that the previous version has and this one lacks. */
  readonly removedIds: readonly RemovedSharedId[];
  /** Older versions that `keepEnabled` disabled. */
  readonly disabled: readonly string[];
  readonly dryRun: boolean;
  /** What a dry run without the platform could not check. */
  readonly unchecked?: readonly string[];
  /** The version is older than the newest enabled one, or could not be compared with it. */
  readonly warnings?: readonly string[];
}

/**
 * Publishes the shared pipelines of a project as one version (spec §4.8). Idempotent: the outcome is `already-done`
 * if the prefix already has the version from the same commit.
 * Throws Failure 'config-missing' without a shared-pipelines file, 'version-exists', 'version-disabled', 'older-version', and
 * what `publish` throws.
 */
export async function publishShared(
  request: PublishSharedRequest,
  context: PlatformContext,
): Promise<PublishSharedReport> {
  validateVersionName(request.version);
  const report = await publishOnce(request, context);
  const { prefix, version, dryRun, keepEnabled: keep } = request;
  if (keep === undefined) return report;
  const upcoming = dryRun ? version : undefined;
  return { ...report, disabled: await keepEnabled({ prefix, keep, upcoming, dryRun }, context) };
}

async function publishOnce(
  request: PublishSharedRequest,
  context: PlatformContext,
): Promise<PublishSharedReport> {
  const { client, progress, signal } = context;
  const { repository, prefix, version, branch, dryRun } = request;
  const commit = await repository.resolveCommit(request.commit);
  const declared = await declaredPipelines(request, commit);
  const known = { prefix, version, commit, ignored: [], disabled: [], dryRun };
  const findPublished = () => publishedVersion(prefix, version, context);
  const existing = await findPublished();
  if (existing !== undefined)
    return {
      ...known,
      sharedPipelines: existing.ids,
      files: [],
      removedIds: [],
      outcome: alreadyDone(request, existing, commit),
    };

  const latest = await latestShared(prefix, context);
  const warnings = await guardOrder(
    {
      version,
      commit: async () => commit,
      live: latest?.artifactDetails,
      where: `the newest enabled version of ${prefix}`,
      goBack: `millrace rollback --shared --prefix ${prefix} --version ${latest?.artifactDetails.versionName ?? ''}`,
    },
    request.guard,
  );

  const files = await readProjectFiles(
    { ...request, commit, always: [sharedPipelinesPath(request.configDir)] },
    context,
  );
  const manifest = manifestOf(files);
  const uploaded = uploadedPipelines(declared, files, {
    configDir: request.configDir,
    logger: context.logger,
  });
  const removedIds = removedSharedIds(latest, uploaded);
  for (const one of removedIds) context.logger.warn(describeRemovedId(one));
  const report = {
    ...known,
    sharedPipelines: uploaded.map(({ id }) => id),
    files: manifest,
    removedIds,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
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
    const mayExist = error instanceof Conflict || error instanceof VersionDisabled;
    const winner = mayExist ? await findPublished() : undefined;
    if (winner === undefined) throw error;
    return {
      ...report,
      sharedPipelines: winner.ids,
      files: [],
      outcome: alreadyDone(request, winner, commit),
    };
  }
}

interface PublishedVersion {
  readonly commit: string | undefined;
  readonly enabled: boolean;
  /** Of its shared pipelines. */
  readonly ids: readonly string[];
}

/** The commit of a published version, and whether it is enabled; `undefined` if the version does not exist. */
async function publishedVersion(
  prefix: string,
  version: string,
  { client, signal }: PlatformContext,
): Promise<PublishedVersion | undefined> {
  try {
    const { artifactDetails, sharedPipelines } = await client.sharedArtifacts.details(
      { sharedPipelineIdPrefix: prefix, versionName: version },
      { signal },
    );
    return {
      commit: artifactDetails.commitHash ?? undefined,
      enabled: artifactDetails.enabled,
      ids: sharedPipelines.map(({ sharedPipelineId }) => sharedPipelineId),
    };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function alreadyDone(
  { prefix, version }: PublishSharedRequest,
  published: PublishedVersion,
  commit: string,
): 'already-done' {
  if (published.commit === commit && !published.enabled) throw sharedVersionDisabled({ version, prefix });
  if (published.commit === commit) return 'already-done';
  throw new Failure('version-exists', {
    message: `Version ${version} of ${prefix} is already published, from commit ${published.commit ?? 'unknown'}. You are publishing commit ${commit}. A shared version cannot be overwritten (spec §2.11).`,
    hint: 'Publish this commit under a new version name.',
    where: { input: 'version' },
    details: { prefix, version, publishedFrom: published.commit, commit },
  });
}
