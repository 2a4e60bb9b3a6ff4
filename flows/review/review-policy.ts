import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { baselinePath } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

/** What `millrace.yaml` decides about a review's findings, as part of a request; the folder is the project's. */
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
