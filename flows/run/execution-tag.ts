import { canonicalName } from '../../lib/pipelines/pipeline-kind.ts';

/**
 * The tag of every execution that Millrace starts and that was given none: made from project, environment and pipeline,
 * so that two starts of the same pipeline exclude one another, whoever starts them and however the pipeline is
 * spelled (spec §4.4 rule 2; unknowns §2). Identifiers are UUIDs, whose case means nothing.
 */
export function executionTag(projectId: string, environment: string, pipeline: string): string {
  return `millrace/${projectId.toLowerCase()}/${environment}/${canonicalName(pipeline)}`;
}
