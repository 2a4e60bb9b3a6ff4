import { failureDetails } from '../../../../lib/github/access/failure-details.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';

/** GitHub's name of the permission for each form of a report. */
const permissionNames = { check: 'checks', deployment: 'deployments', status: 'statuses' } as const;

/**
 * Whether GitHub refused a write because a permission is missing. Temporary causes do not count: a suspended App, a
 * transferred repository, a failure of GitHub. An App's permissions are read from GitHub; a token's permissions
 * only show in its refusals.
 */
export async function lacksPermission(
  what: keyof typeof permissionNames,
  repositoryId: number,
  error: unknown,
  github: Pick<GitHubPort, 'kind' | 'installation' | 'repository'>,
): Promise<boolean> {
  const { cause } = failureDetails(error);
  if (github.kind === 'token') {
    // Only an App may create check runs.
    if (cause === 'permission' || cause === 'no-app') return true;
    // A classic token gets 404 if it lacks a scope, even if it can read the repository.
    return cause === 'not-found' && (await succeeds(github.repository(repositoryId)));
  }
  if (cause !== 'permission') return false;
  const installation = await github.installation(repositoryId).catch(() => undefined);
  if (installation === undefined || installation.isSuspended) return false;
  return installation.permissions[permissionNames[what]] !== 'write';
}

async function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}
