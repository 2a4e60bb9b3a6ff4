import { access } from 'node:fs/promises';
import path from 'node:path';
import { describeNestedProjects, nestedProjects } from '../../flows/project/nested-projects.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { ReviewRequest } from '../../flows/review/scope/review-request.ts';
import type { ReviewOptions } from './review-options.ts';
import type { Session } from '../kit/session.ts';

/**
 * Warns if a folder without a `millrace.yaml` contains projects: the defaults apply to the review, not the rules,
 * baselines and checks of these projects. Returns the reason why a review that finds nothing to look at must not
 * pass. Throws Failure 'usage' for a review of what is staged, because nobody reads a warning in a hook.
 */
export async function warnOfNestedProjects(
  { directory: folder, output }: Session,
  options: ReviewOptions,
  { repository, directory, snapshot, commit }: ReviewRequest,
): Promise<Failure | undefined> {
  const ownFile = path.join(folder, 'millrace.yaml');
  if (
    options.config !== undefined ||
    (await access(ownFile).then(
      () => true,
      () => false,
    ))
  )
    return undefined;
  const listed = snapshot?.list() ?? repository.listTree(await repository.resolveCommit(commit));
  const paths = (await listed).map(({ path: file }) => file);
  // A sparse check-out may leave out the file.
  if (paths.includes(inRepository(directory, 'millrace.yaml'))) return undefined;
  const projects = nestedProjects(paths, directory);
  const [first] = projects;
  if (first === undefined) return undefined;
  const description = describeNestedProjects(projects);
  if (options.staged === true) {
    throw new Failure('usage', {
      message: `${description} So the hook would review no project with its settings.`,
      where: { input: '--working-directory' },
      hint: `Add --working-directory ${first} to the command of the hook, or, in .pre-commit-config.yaml, the line args: [--working-directory, ${first}]. Add the hook once for each project.`,
    });
  }
  output.logger.warn(`${description} To use the settings of one project, give --working-directory ${first}.`);
  return new Failure('usage', {
    message: `${description} So nothing was reviewed: the change may be in these projects.`,
    where: { input: '--working-directory' },
    hint: `Review each project: give --working-directory ${first}.`,
  });
}
