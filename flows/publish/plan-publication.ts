import { sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import type { FlowContext } from '../context/context.ts';
import { declaredPipelines, uploadedPipelines } from '../project/declared-pipelines.ts';
import {
  type ManifestEntry,
  manifestOf,
  type ProjectSource,
  readProjectFiles,
} from '../project/project-files.ts';
import type { PublishReport, PublishRequest } from './publish.ts';
import type { PublishSharedReport, PublishSharedRequest } from './publish-shared.ts';
import { validateVersionName } from '../versions/version-name.ts';

/**
 * Finds out what `publish` would send, without calling the platform, so that no token is needed. `unchecked` lists
 * what only the platform knows. Throws what `publish` throws about version, commit and files.
 */
export async function planPublish(request: PublishRequest, context: FlowContext): Promise<PublishReport> {
  const { version, environment } = request;
  const { commit, files } = await filesOf(request, [], context);
  return {
    outcome: 'passed',
    version,
    environment,
    commit,
    files,
    ignored: [],
    dryRun: true,
    unchecked: [
      `whether ${environment} exists and already has ${version}, or a newer version`,
      ...(request.connectors ? ['which connectors of the account would be included'] : []),
    ],
  };
}

/** Finds out what `publishShared` would send, as `planPublish` does. */
export async function planPublishShared(
  request: PublishSharedRequest,
  context: FlowContext,
): Promise<PublishSharedReport> {
  const { version, prefix, configDir, keepEnabled } = request;
  const { commit, files } = await filesOf(request, [sharedPipelinesPath(configDir)], context);
  const declared = await declaredPipelines(request, commit);
  return {
    outcome: 'passed',
    prefix,
    version,
    commit,
    sharedPipelines: uploadedPipelines(declared, files, { configDir, logger: context.logger }).map(
      ({ id }) => id,
    ),
    files,
    ignored: [],
    removedIds: [],
    disabled: [],
    dryRun: true,
    unchecked: [
      `whether ${prefix} already has ${version}, or a newer version`,
      'which shared pipelines consumers would miss',
      ...(keepEnabled === undefined ? [] : ['which older versions would be disabled']),
    ],
  };
}

async function filesOf(
  source: ProjectSource & { readonly version: string },
  always: readonly string[],
  context: FlowContext,
): Promise<{ readonly commit: string; readonly files: ManifestEntry[] }> {
  validateVersionName(source.version);
  const commit = await source.repository.resolveCommit(source.commit, { signal: context.signal });
  context.progress.step(`Reading the files of ${commit.slice(0, 12)}`);
  const files = await readProjectFiles({ ...source, commit, always }, context);
  return { commit, files: manifestOf(files) };
}
