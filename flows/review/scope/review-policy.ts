import { notFetched } from '../../../lib/git/work-tree/left-out-text.ts';
import { isAbsent } from '../../../lib/git/objects/tree-entry.ts';
import { extendReview } from '../../../lib/config/project/extend-review.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { requireText } from '../../../lib/core/files/decode-text.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { baselinePath } from '../../findings/baseline.ts';
import type { ReviewRequest } from './review-request.ts';

/** The part of a review request that `millrace.yaml` determines. `directory`: the project's folder. */
export function reviewPolicy(
  { review, release, configDir, callFolder }: ProjectConfig,
  directory: string,
): Pick<
  ReviewRequest,
  | 'baseline'
  | 'suppress'
  | 'suppressionComments'
  | 'configFile'
  | 'checks'
  | 'overrides'
  | 'extendedFiles'
  | 'variables'
  | 'sharedPrefix'
  | 'callFolder'
  | 'releaseTag'
> {
  return {
    baseline: inRepository(directory, review.baseline ?? baselinePath(configDir)),
    suppress: review.suppress,
    suppressionComments: review.suppressionComments,
    checks: review.checks,
    overrides: review.overrides,
    extendedFiles: review.extendedFiles,
    variables: review.variables,
    sharedPrefix: release.shared?.prefix,
    callFolder,
    releaseTag: release.tag,
    configFile: inRepository(directory, 'millrace.yaml'),
  };
}

/**
 * The settings combined with the files that they extend, read from a snapshot. `file`: the path of `millrace.yaml`,
 * relative to the repository.
 */
export async function extendFromSnapshot(
  config: ProjectConfig,
  file: string,
  snapshot: Snapshot,
): Promise<ProjectConfig> {
  return extendReview(config, file, async (path) => {
    const read = await snapshot.readFiles([path], maxPipelineBytes);
    const content = snapshot.links.has(path) ? undefined : read.get(path);
    if (content !== undefined) return requireText(content, path);
    await throwIfUnread(path, snapshot);
    return undefined;
  });
}

/**
 * Reads the settings in a snapshot, with what they extend. `undefined` if `file` (the path of `millrace.yaml`,
 * relative to the repository) does not exist there. Throws Failure 'config-invalid' with the line, also for a
 * symbolic link.
 */
export async function settingsIn(snapshot: Snapshot, file: string): Promise<ProjectConfig | undefined> {
  const content = (await snapshot.readFiles([file], maxPipelineBytes)).get(file);
  if (snapshot.links.has(file)) throw linkInstead(file);
  await throwIfUnread(file, snapshot);
  if (content === undefined) return undefined;
  return extendFromSnapshot(readProjectConfig(requireText(content, file), file), file, snapshot);
}

/** Throws Failure 'config-invalid' for a file that is there, but was not read. */
async function throwIfUnread(file: string, snapshot: Snapshot): Promise<void> {
  const reason = snapshot.unread.get(file);
  if (reason === undefined) return;
  const entry = (await snapshot.list()).find(({ path }) => path === file);
  if (entry !== undefined && isAbsent(entry)) throw notFetched(file);
  throw new Failure('config-invalid', { message: `"${file}" was not read: ${reason}.`, where: { file } });
}

function linkInstead(file: string): Failure {
  return new Failure('config-invalid', {
    message: `"${file}" is a symbolic link. Links in a commit and in the staged files are not followed.`,
    where: { file },
    hint: 'Replace the link with a file. To share rules between projects, use `review.extends` in it.',
  });
}
