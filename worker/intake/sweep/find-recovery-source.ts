import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';

/** The recovery source of a repository: how its missed pushes are found. */
export type RecoverySource =
  | { readonly kind: 'app-deliveries' | 'hook-deliveries'; readonly place: HookPlace }
  /**
   * `no-rights`: the token may not see the deliveries. `no-hook`: no webhook of the repository sends pushes to
   * the worker.
   */
  | { readonly kind: 'heads'; readonly reason: 'no-rights' | 'no-hook'; readonly place?: undefined };

/**
 * Finds the best source that GitHub allows. `url`: the public address of the worker; without it any webhook
 * counts whose address ends in the worker's path. Throws errors of GitHub.
 */
export async function findRecoverySource(
  repositoryId: number,
  github: Pick<GitHubPort, 'kind' | 'hooks' | 'repository'>,
  url: string | undefined,
): Promise<RecoverySource> {
  if (github.kind === 'app') {
    const page = await github.hooks.deliveries({ kind: 'app' }, '');
    return page === undefined
      ? { kind: 'heads', reason: 'no-rights' }
      : { kind: 'app-deliveries', place: { kind: 'app' } };
  }
  const { fullName } = await github.repository(repositoryId);
  const hooks = await github.hooks.list(fullName);
  if (hooks === undefined) return { kind: 'heads', reason: 'no-rights' };
  const hook = hooks.find(
    ({ active, events, url: to }) =>
      active && (events.includes('push') || events.includes('*')) && isOurs(to, url),
  );
  return hook === undefined
    ? { kind: 'heads', reason: 'no-hook' }
    : { kind: 'hook-deliveries', place: { kind: 'repository', fullName, hook: hook.id } };
}

function isOurs(to: string, url: string | undefined): boolean {
  if (url !== undefined) return to === `${url}/webhooks/github`;
  return URL.canParse(to) && new URL(to).pathname.endsWith('/webhooks/github');
}

/** Describes each source for people. */
export const describeSource: Readonly<Record<RecoverySource['kind'], string>> = {
  'app-deliveries': 'Missed pushes are recovered by redelivery, from the deliveries of the GitHub App.',
  'hook-deliveries':
    'Missed pushes are recovered by redelivery, from the deliveries of the repository’s webhook.',
  heads:
    'Missed pushes are found by comparing branches and tags: this token may not see the deliveries of a webhook.',
};
