/**
 * The tag of an execution that was given none: made from project, environment and pipeline, so that two starts of
 * the same thing do not run side by side (spec §4.4 rule 2; unknowns §2).
 */
export function executionTag(projectId: string, environment: string, pipeline: string): string {
  return `millrace/${projectId}/${environment}/${pipeline}`;
}
