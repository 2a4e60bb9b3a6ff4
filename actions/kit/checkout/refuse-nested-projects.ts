import { describeNestedProjects } from '../../../flows/project/nested-projects.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';

/**
 * Throws Failure 'usage' for a folder that has no `millrace.yaml` but contains projects. A warning is not enough,
 * because nobody reads the log of a job that passes. `work`: the verb for what the action does with a project.
 */
export function refuseNestedProjects(projects: readonly string[], work: 'review' | 'test'): void {
  const [first] = projects;
  if (first === undefined) return;
  throw new Failure('usage', {
    message: `${describeNestedProjects(projects)} So the action would ${work} no project with its settings.`,
    where: { input: 'working-directory' },
    hint: `Add \`working-directory: ${first}\` to the step, and a step for each other project. If this folder is a project of its own, add a millrace.yaml with the line \`version: 1\` to it.`,
  });
}
