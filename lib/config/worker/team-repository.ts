import type { RepositoryPolicy } from './worker-schema.ts';

/**
 * The repository whose access is used to read a team of `operators` from GitHub. Prefers a repository of the team's
 * organization, because an App may have a separate installation for other organizations.
 */
export function teamRepository(
  team: string,
  repositories: readonly Pick<RepositoryPolicy, 'id' | 'name'>[],
): number {
  const owner = team.slice(1, team.indexOf('/') + 1).toLowerCase();
  const sameOwner = repositories.find(({ name }) => name.toLowerCase().startsWith(owner));
  return (sameOwner ?? repositories[0])?.id ?? 0;
}
