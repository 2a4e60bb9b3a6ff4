import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { type RepositoryState, maxRepositories } from '../../../lib/github/endpoints/repository-states.ts';

type RepositoriesPort = Pick<GitHubPort, 'kind' | 'accessState' | 'readRepositories'>;

/**
 * Reads the state of all repositories, with one request for up to fifty repositories of an account. Repositories
 * that GitHub did not show are missing from the result. So are the repositories of a failed request, whose error
 * goes to `onFailure`.
 */
export async function readAllRepositories(
  repositories: readonly RepositoryPolicy[],
  github: RepositoriesPort,
  onFailure: (error: unknown, repositories: readonly RepositoryPolicy[]) => void,
): Promise<ReadonlyMap<number, RepositoryState>> {
  const states = new Map<number, RepositoryState>();
  for (const group of groupsOf(repositories, github)) {
    try {
      for (const state of await github.readRepositories(group)) states.set(state.id, state);
    } catch (error) {
      onFailure(error, group);
    }
  }
  return states;
}

/**
 * Groups of repositories that one token opens. Repositories with access come first, because a group uses the token of
 * its first repository.
 */
function groupsOf(
  repositories: readonly RepositoryPolicy[],
  { kind, accessState }: RepositoriesPort,
): readonly (readonly RepositoryPolicy[])[] {
  const ownerOf = ({ name }: RepositoryPolicy): string => (name.split('/')[0] ?? '').toLowerCase();
  const accounts = Map.groupBy(repositories, (repository) => (kind === 'app' ? ownerOf(repository) : ''));
  const refused = (repository: RepositoryPolicy): number =>
    (accessState(repository.id) ?? 'ok') === 'ok' ? 0 : 1;
  return [...accounts.values()].flatMap((all) => {
    const sorted = all.toSorted((a, b) => refused(a) - refused(b));
    const count = Math.ceil(sorted.length / maxRepositories);
    return Array.from({ length: count }, (_, i) =>
      sorted.slice(i * maxRepositories, (i + 1) * maxRepositories),
    );
  });
}
