import type { RepositoryPolicy } from './worker-schema.ts';

/**
 * The repository with whose access GitHub is asked about a team of `operators`: one of the team's organization if there is one,
 * because an App may have another installation for others.
 */
export function teamRepository(
  team: string,
  repositories: readonly Pick<RepositoryPolicy, 'id' | 'name'>[],
): number {
  const owner = team.slice(1, team.indexOf('/') + 1).toLowerCase();
  const sameOwner = repositories.find(({ name }) => name.toLowerCase().startsWith(owner));
  return (sameOwner ?? repositories[0])?.id ?? 0;
}
