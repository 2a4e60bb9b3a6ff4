import { Refusal, refuse } from '../refusal/refusal.ts';
import { reviewCommit } from '../review/index.ts';
import type { AreaHandlers } from './handler.ts';

interface Link {
  readonly owner_name: string;
  readonly repository_name: string;
}

/** Pipeline review (spec §4.5): the files come from the linked repository at the branch and commit. */
export const reviews: AreaHandlers<'reviews'> = {
  'reviews.create': async ({ body, project, signal }, world) => {
    const link = world.store.get<Link>(
      'SELECT owner_name, repository_name FROM repository WHERE project_id = ?',
      project.id,
    );
    if (link === undefined) throw refuse(404, 'The project is not linked to a repository.');
    if (world.gitRoot === undefined)
      throw refuse(404, 'The local platform was started without a folder of repositories (--git-root).');
    const answer = await reviewCommit({
      ...body,
      gitRoot: world.gitRoot,
      environment: world.environment,
      ownerName: link.owner_name,
      repositoryName: link.repository_name,
      configDir: world.settings.configDir,
      signal: signal(),
    });
    if ('review' in answer) return answer.review;
    const { status, error } = answer.refused;
    throw new Refusal(status, { error, status });
  },
};
