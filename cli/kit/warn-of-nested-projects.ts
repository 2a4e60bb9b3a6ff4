import { access } from 'node:fs/promises';
import path from 'node:path';
import { isInPackages } from '../../lib/git/package-folder.ts';
import type { ReviewRequest } from '../../flows/review/review-request.ts';
import type { CommonOptions, Session } from './session.ts';

const maxListed = 5;

/**
 * Warns in a folder above several projects: without a `millrace.yaml` in the folder the defaults apply, not the rules,
 * baselines and checks of the projects below.
 */
export async function warnOfNestedProjects(
  { directory: folder, output }: Session,
  { config }: CommonOptions,
  { repository, directory, snapshot, commit }: ReviewRequest,
): Promise<void> {
  const own = path.join(folder, 'millrace.yaml');
  if (
    config !== undefined ||
    (await access(own).then(
      () => true,
      () => false,
    ))
  )
    return;
  const listed = snapshot?.list() ?? repository.listTree(await repository.resolveCommit(commit));
  const under = directory === '' ? '' : `${directory}/`;
  const projects = (await listed)
    .filter(
      ({ path: file }) => file.startsWith(under) && file.endsWith('/millrace.yaml') && !isInPackages(file),
    )
    .map((entry) => path.posix.dirname(entry.path).slice(under.length));
  const [first] = projects;
  if (first === undefined) return;
  const more = projects.length > maxListed ? ` and ${projects.length - maxListed} more` : '';
  output.logger.warn(
    `This folder has no millrace.yaml, but these folders below it have one: ${projects.slice(0, maxListed).join(', ')}${more}. To use the settings of one project, give --working-directory ${first}.`,
  );
}
