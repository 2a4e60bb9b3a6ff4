import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewRequest } from '../../flows/review/review-request.ts';
import type { CommonOptions, Session } from './session.ts';

/** How many projects are named at most. */
const shown = 5;

/**
 * Warns who stands above several projects: without a `millrace.yaml` in the folder its defaults hold, and the rules,
 * baselines and checks of the projects below do not.
 */
export async function warnOfProjects(
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
    .filter((entry) => entry.path.startsWith(under) && entry.path.endsWith('/millrace.yaml'))
    .map((entry) => path.posix.dirname(entry.path).slice(under.length));
  const [first] = projects;
  if (first === undefined) return;
  const more = projects.length > shown ? ` and ${projects.length - shown} more` : '';
  output.logger.warn(
    `There is no millrace.yaml in this folder, but there is in ${projects.slice(0, shown).join(', ')}${more}. For the settings of one project say --working-directory ${first}.`,
  );
}
