import { Failure } from '../model/failure.ts';
import { rateLimitOf } from './rate-limit.ts';
import { statusOf } from './request-status.ts';
import { oneLine, shorten } from './foreign-text.ts';

/** A line for `permissions:` in a workflow. */
export type PermissionLine =
  | 'checks: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'statuses: write'
  | 'contents: read'
  | 'deployments: write';

/** Whether GitHub said that this token may not: by its own word, or by acting as if there were nothing. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || status === 403 || status === 404;
}

/** What to add to the workflow, for a token that may not do something. */
export function permissionMend(permission: PermissionLine): string {
  return `Add "${permission}" under "permissions:" of the job. Pull requests from forks and from Dependabot get a token that may only read, whatever stands there.`;
}

const limitMend =
  'GitHub takes no more requests from this token for a while; nothing is wrong with its permissions. Run it again later, and let fewer jobs run at the same time.';

/** GitHub's refusal as a Failure 'github-failed' that names the permission. */
export function githubFailure(doing: string, permission: PermissionLine, error: unknown): Failure {
  const status = statusOf(error);
  const isLimited = rateLimitOf(error, 0) !== undefined;
  const words = error instanceof Error ? shorten(oneLine(error.message), 300) : 'unknown fault';
  return new Failure('github-failed', {
    message: `GitHub could not ${doing}${status === undefined ? '' : ` (${String(status)})`}: ${words}`,
    ...(isLimited ? { mend: limitMend } : isRefused(error) ? { mend: permissionMend(permission) } : {}),
    details: { status, permission },
    cause: error,
  });
}
