import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { type Look, maxRepositories } from '../../../lib/github/endpoints/looks.ts';

type LookPort = Pick<GitHubPort, 'kind' | 'accessState' | 'lookAt'>;

/**
 * Looks at all repositories, with one request for up to fifty of one account. The result lacks repositories that GitHub
 * did not show, and the repositories of a request that failed: `onFailure` gets the error.
 */
export async function lookAtAll(
  repositories: readonly RepositoryPolicy[],
  github: LookPort,
  onFailure: (error: unknown, repositories: readonly RepositoryPolicy[]) => void,
): Promise<ReadonlyMap<number, Look>> {
  const looks = new Map<number, Look>();
  for (const group of groupsOf(repositories, github)) {
    try {
      for (const look of await github.lookAt(group)) looks.set(look.id, look);
    } catch (error) {
      onFailure(error, group);
    }
  }
  return looks;
}

/**
 * Groups of repositories that one token opens. Repositories with access come first, because a group uses the token of
 * its first repository.
 */
function groupsOf(
  repositories: readonly RepositoryPolicy[],
  { kind, accessState }: LookPort,
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
