import { extendReview } from '../../lib/config/extend-review.ts';
import { requireText } from '../../lib/core/decode-text.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../lib/pipelines/read-pipeline.ts';
import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { baselinePath } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

/** The part of a review request that `millrace.yaml` decides; `directory` is the project's folder. */
export function reviewPolicy(
  { review, release, configDir }: ProjectConfig,
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
    releaseTag: release.tag,
    configFile: inRepository(directory, 'millrace.yaml'),
  };
}

/** The settings with the files of a snapshot that they extend. `file`: `millrace.yaml`, relative to the repository. */
export async function extendFromSnapshot(
  config: ProjectConfig,
  file: string,
  snapshot: Snapshot,
): Promise<ProjectConfig> {
  return extendReview(config, file, async (path) => {
    const read = await snapshot.readFiles([path], maxPipelineBytes);
    const content = snapshot.links.has(path) ? undefined : read.get(path);
    return content === undefined ? undefined : requireText(content, path);
  });
}
