import { decodeText } from '../../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import {
  type OwnSharedPipelines,
  ownSharedPipelines,
  readSharedPipelines,
  type SharedPipelinesFile,
  sharedPipelinesPath,
} from '../../../lib/pipelines/model/shared-pipelines.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { childOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { ReviewRequest } from './review-request.ts';

/** The shared pipelines of a project, read from the files of a snapshot. */
export interface SharedOfProject {
  /** Absent if the project has no such file. */
  readonly file?: SharedPipelinesFile;
  /** For calls; absent if the project has no prefix, or if the file cannot be read. */
  readonly own?: OwnSharedPipelines;
}

/** The path of the project's settings, relative to the repository. */
export function configFileOf({
  directory,
  configFile = inRepository(directory, 'millrace.yaml'),
}: Pick<ReviewRequest, 'directory' | 'configFile'>): string {
  return configFile;
}

/** `release.shared.prefix` of a settings file; undefined if it is not set. */
export function sharedPrefixIn(content: Uint8Array, file: string): string | undefined {
  const { root } = readYaml(decodeText(content).text ?? '', { file });
  return textOf(childOf(childOf(childOf(root, 'release'), 'shared'), 'prefix'));
}

type SharedRequest = Pick<ReviewRequest, 'directory' | 'configDir' | 'sharedPrefix'>;

/** The path of the shared-pipelines file, relative to the repository. */
export function sharedFileOf({ directory, configDir }: SharedRequest): string {
  return inRepository(directory, sharedPipelinesPath(configDir));
}

export async function readOwnShared(
  request: SharedRequest,
  snapshot: Pick<Snapshot, 'readFiles' | 'unread'>,
): Promise<SharedOfProject> {
  const path = sharedFileOf(request);
  const content = (await snapshot.readFiles([path], maxPipelineBytes)).get(path);
  // A file without its content, such as one that a partial clone has not fetched, may share anything.
  if (content === undefined && snapshot.unread.has(path)) return {};
  return sharedOfProject(request, content);
}

/** Reads the shared pipelines of a project from its shared-pipelines file. */
export function sharedOfProject(request: SharedRequest, content: Uint8Array | undefined): SharedOfProject {
  const file = readSharedPipelines(sharedFileOf(request), content ?? 'pipelines: []\n');
  const { sharedPrefix } = request;
  return {
    ...(content === undefined ? {} : { file }),
    ...(sharedPrefix === undefined || file.problems.length > 0
      ? {}
      : { own: ownSharedPipelines(sharedPrefix, file) }),
  };
}
