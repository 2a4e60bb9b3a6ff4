import { Failure } from '../core/failure.ts';
import { rateLimitOf } from './rate-limit.ts';
import { statusOf } from './request-status.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';

/** A line under `permissions:` in a workflow. */
export type PermissionLine =
  | 'checks: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'statuses: write'
  | 'contents: read'
  | 'deployments: write';

/** What to add to the workflow for a token without a permission. */
export function permissionHint(permission: PermissionLine): string {
  return `Add "${permission}" under "permissions:" of the job. Pull requests from forks and from Dependabot always get a read-only token.`;
}

const limitHint =
  'The token has reached GitHub’s rate limit; its permissions are sufficient. Run it again later, with fewer jobs at the same time.';

const tokenHint =
  'The token is wrong, expired or revoked; permissions are not the cause. In an action, check the input github-token. In the worker, check the App and its key, or MILLRACE_GITHUB_TOKEN.';

const serverHint =
  'GitHub itself failed; the token and its permissions are not the cause. Run it again later, and check www.githubstatus.com.';

const networkHint =
  'The connection to GitHub failed; the token and its permissions are not the cause. Check the network, the proxy settings and, for GitHub Enterprise Server, the address of its API.';

/** The hint for the cause: the token, its permission, the rate limit, GitHub itself, or the connection. */
function hintFor(error: unknown, permission: PermissionLine): string | undefined {
  if (rateLimitOf(error, 0) !== undefined) return limitHint;
  const status = statusOf(error);
  if (status === undefined || !wasAnswered(error)) return networkHint;
  if (status === 401) return tokenHint;
  // GitHub answers 404 where a token has no read permission.
  if (status === 403 || status === 404) return permissionHint(permission);
  return status >= 500 ? serverHint : undefined;
}

/** Octokit reports a network error as status 500. */
function wasAnswered(error: unknown): boolean {
  return error instanceof Error && 'response' in error && error.response !== undefined;
}

/** An error of GitHub, or a missing answer, as a Failure 'github-failed' that names the cause. */
export function githubFailure(doing: string, permission: PermissionLine, error: unknown): Failure {
  const status = wasAnswered(error) ? statusOf(error) : undefined;
  const words = error instanceof Error ? shorten(oneLine(error.message), 300) : 'unknown error';
  const hint = hintFor(error, permission);
  return new Failure('github-failed', {
    message: `GitHub could not ${doing}${status === undefined ? '' : ` (${String(status)})`}: ${words}`,
    ...(hint === undefined ? {} : { hint }),
    details: { status, permission },
    cause: error,
  });
}
