import { NotFound } from '../../client/index.ts';
import { meantHint } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { hintAt } from '../../lib/core/text/look-alike.ts';
import { closestPipeline } from '../../lib/pipelines/model/closest-pipeline.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PlatformContext } from './context.ts';
import { requireEnvironment } from './require-environment.ts';

/** The names that a call uses. Each may be misspelled. */
export interface CalledNames {
  /** The pipeline to execute. */
  readonly pipeline?: string;
  /** The environments, by the inputs that name them. */
  readonly environments: Readonly<Record<string, string>>;
  /** A version, and the environment that must have it. */
  readonly version?: { readonly name: string; readonly environment: string } | undefined;
}

/** A list of more versions is not read for a message. */
const maxVersions = 500;
const maxPipelines = 2000;

/**
 * Does `work`. If the platform answers 404, finds out which of the names does not exist, and throws Failure
 * 'not-found' with this name and the closest existing one. Throws the client's error if all names exist or cannot
 * be listed.
 */
export async function explainNotFound<Result>(
  names: CalledNames,
  context: PlatformContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await requireNames(names, context).catch((reason: unknown) => {
      // An error of the lists says less than the first one.
      if (reason instanceof Failure && reason.code === 'not-found' && !(reason instanceof NotFound))
        throw reason;
    });
    throw error;
  }
}

async function requireNames(
  { pipeline, environments, version }: CalledNames,
  context: PlatformContext,
): Promise<void> {
  for (const [input, name] of Object.entries(environments)) await requireEnvironment(name, context, input);
  if (version !== undefined) await requireVersion(version, context);
  if (pipeline !== undefined) await requirePipeline(pipeline, context);
}

async function requireVersion(
  { name, environment }: NonNullable<CalledNames['version']>,
  { client, projectId, signal }: PlatformContext,
): Promise<void> {
  const versions = new Set<string>();
  const list = client.artifacts.list(
    { projectId, environmentName: environment, includeDisabled: true, size: 100 },
    { signal },
  );
  for await (const artifact of list) {
    // A deployment that ignores the filter returns all environments.
    if (artifact.environmentName === environment) versions.add(artifact.versionName);
    if (versions.size >= maxVersions) break;
  }
  if (!versions.has(name)) throw missingVersion(name, environment, versions);
}

/** The list is of the whole project: it does not say which version has which pipelines. */
async function requirePipeline(
  pipeline: string,
  { client, projectId, signal }: PlatformContext,
): Promise<void> {
  const pipelines = new Set<string>();
  for await (const { name } of client.publishedPipelines.list({ projectId, size: 100 }, { signal })) {
    pipelines.add(withoutSuffix(name));
    if (pipelines.size >= maxPipelines) return;
  }
  if (pipelines.has(withoutSuffix(pipeline))) return;
  throw new Failure('not-found', {
    message:
      pipelines.size === 0
        ? `The project has no published pipeline "${pipeline}". It has no published pipelines.`
        : `The project has no published pipeline "${pipeline}".`,
    where: { input: 'pipeline' },
    hint: `${hintAt(pipeline, closestPipeline(pipeline, pipelines))} Give its path in the project, such as daily/load. \`millrace api publishedPipelines.list\` lists the published ones; \`millrace publish\` publishes the pipelines of a tag.`.trimStart(),
  });
}

/**
 * The failure for a version that the environment does not have.
 * @param versions the versions of the environment
 */
export function missingVersion(version: string, environment: string, versions: Iterable<string>): Failure {
  return new Failure('not-found', {
    message: `Version ${version} is not in ${environment}.`,
    where: { input: 'version' },
    hint: meantHint(
      version,
      versions,
      `Publish it to ${environment} first, or check the name: \`millrace api artifacts.list --param environmentName=${environment}\` lists its versions.`,
    ),
  });
}
