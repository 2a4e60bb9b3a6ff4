import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { baselinePath } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

/** The part of a review request that `millrace.yaml` decides; `directory` is the project's folder. */
export function reviewPolicy(
  { review, release, configDir }: ProjectConfig,
  directory: string,
): Pick<ReviewRequest, 'baseline' | 'suppress' | 'configFile' | 'checks' | 'variables' | 'releaseTag'> {
  return {
    baseline: inRepository(directory, review.baseline ?? baselinePath(configDir)),
    suppress: review.suppress,
    checks: review.checks,
    variables: review.variables,
    releaseTag: release.tag,
    configFile: inRepository(directory, 'millrace.yaml'),
  };
}
