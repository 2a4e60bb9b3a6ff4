import { canonicalName } from '../../lib/pipelines/model/pipeline-kind.ts';

/**
 * The default tag of an execution, made from project, environment and pipeline, so that two starts of the same
 * pipeline exclude each other, independent of the caller and the spelling of the pipeline (spec §4.4 rule 2; unknowns
 * §2). Project ids are UUIDs, which are case-insensitive.
 */
export function executionTag(projectId: string, environment: string, pipeline: string): string {
  return `millrace/${projectId.toLowerCase()}/${environment}/${canonicalName(pipeline)}`;
}
