import { Failure } from '../core/failure.ts';
import { rateLimitOf } from './rate-limit.ts';
import { statusOf } from './request-status.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';

/** A line for `permissions:` in a workflow. */
export type PermissionLine =
  | 'checks: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'statuses: write'
  | 'contents: read'
  | 'deployments: write';

/** What to add to the workflow, for a token that may not do something. */
export function permissionHint(permission: PermissionLine): string {
  return `Add "${permission}" under "permissions:" of the job. Pull requests from forks and from Dependabot get a token that may only read, whatever stands there.`;
}

const limitHint =
  'GitHub takes no more requests from this token for a while; nothing is wrong with its permissions. Run it again later, and let fewer jobs run at the same time.';

const tokenHint =
  'GitHub does not accept the token: it is wrong, expired or revoked; no permission would change that. In an action check the input github-token; in the worker the App and its key, or MILLRACE_GITHUB_TOKEN.';

const serverHint =
  'GitHub itself failed; nothing is wrong with the token or its permissions. Run it again later; www.githubstatus.com says what GitHub knows of it.';

const networkHint =
  'The way to GitHub is at fault, not the token or its permissions. Check the network, the proxy settings and, on a server of your own, the address of its API.';

/** What is at fault: the token, one permission of it, too many requests, GitHub, or the way there. */
function hintFor(error: unknown, permission: PermissionLine): string | undefined {
  if (rateLimitOf(error, 0) !== undefined) return limitHint;
  const status = statusOf(error);
  if (status === undefined || !wasAnswered(error)) return networkHint;
  if (status === 401) return tokenHint;
  // GitHub acts as if there were nothing where a token may not even look.
  if (status === 403 || status === 404) return permissionHint(permission);
  return status >= 500 ? serverHint : undefined;
}

/** Octokit calls a fault of the network a 500. */
function wasAnswered(error: unknown): boolean {
  return error instanceof Error && 'response' in error && error.response !== undefined;
}

/** GitHub's refusal, or its silence, as a Failure 'github-failed' that names what is at fault. */
export function githubFailure(doing: string, permission: PermissionLine, error: unknown): Failure {
  const status = wasAnswered(error) ? statusOf(error) : undefined;
  const words = error instanceof Error ? shorten(oneLine(error.message), 300) : 'unknown fault';
  const hint = hintFor(error, permission);
  return new Failure('github-failed', {
    message: `GitHub could not ${doing}${status === undefined ? '' : ` (${String(status)})`}: ${words}`,
    ...(hint === undefined ? {} : { hint }),
    details: { status, permission },
    cause: error,
  });
}
