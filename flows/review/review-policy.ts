import type { ProjectConfig } from '../../config/project-schema.ts';
import { baselinePath } from './baseline.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

/** What `millrace.yaml` decides about a review's findings, as part of a request; the folder is the project's. */
export function reviewPolicy(
  { review, configDir }: ProjectConfig,
  directory: string,
): Pick<ReviewRequest, 'baseline' | 'suppress' | 'configFile'> {
  return {
    baseline: inRepository(directory, review.baseline ?? baselinePath(configDir)),
    suppress: review.suppress,
    configFile: inRepository(directory, 'millrace.yaml'),
  };
}
