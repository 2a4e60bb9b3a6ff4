import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';

/** How missed pushes of a repository are found. */
export type RecoverySource =
  | { readonly kind: 'app-deliveries' | 'hook-deliveries'; readonly place: HookPlace }
  /** `no-rights`: the deliveries may not be seen. `no-hook`: no webhook of the repository sends pushes to the worker. */
  | { readonly kind: 'heads'; readonly why: 'no-rights' | 'no-hook'; readonly place?: undefined };

/**
 * Looks for the best way that GitHub allows. `url`: the worker's address for the world; without it any webhook that
 * ends in the worker's path counts. Throws what GitHub could not answer.
 */
export async function findRecoverySource(
  repositoryId: number,
  github: Pick<GitHubPort, 'kind' | 'hooks' | 'repository'>,
  url: string | undefined,
): Promise<RecoverySource> {
  if (github.kind === 'app') {
    const page = await github.hooks.deliveries({ kind: 'app' }, '');
    return page === undefined
      ? { kind: 'heads', why: 'no-rights' }
      : { kind: 'app-deliveries', place: { kind: 'app' } };
  }
  const { fullName } = await github.repository(repositoryId);
  const hooks = await github.hooks.list(fullName);
  if (hooks === undefined) return { kind: 'heads', why: 'no-rights' };
  const hook = hooks.find(
    ({ active, events, url: to }) =>
      active && (events.includes('push') || events.includes('*')) && isOurs(to, url),
  );
  return hook === undefined
    ? { kind: 'heads', why: 'no-hook' }
    : { kind: 'hook-deliveries', place: { kind: 'repository', fullName, hook: hook.id } };
}

function isOurs(to: string, url: string | undefined): boolean {
  if (url !== undefined) return to === `${url}/webhooks/github`;
  return URL.canParse(to) && new URL(to).pathname.endsWith('/webhooks/github');
}

/** What each way means, for people. */
export const describeSource: Readonly<Record<RecoverySource['kind'], string>> = {
  'app-deliveries': 'Missed pushes are found by the deliveries of the GitHub App, and asked for again.',
  'hook-deliveries':
    'Missed pushes are found by the deliveries of the repository’s webhook, and asked for again.',
  heads:
    'Missed pushes are found by comparing where branches and tags stand: this token may not see the deliveries of a webhook.',
};
