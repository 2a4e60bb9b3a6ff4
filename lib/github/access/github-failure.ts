import { messageOf } from '../../core/errors/message-of.ts';
import { Failure } from '../../core/errors/failure.ts';
import { oneLine } from '../../core/text/sanitize-text.ts';
import { responseOf } from './error-response.ts';
import type { GitHubFailureDetails } from './failure-details.ts';
import { shorten } from '../../core/text/shorten.ts';
import { readRefusalCause, type RefusalCause } from './refusal-cause.ts';
import { readRateLimit } from './rate-limit.ts';

/** A permission in the form of `permissions:` in a workflow. */
export type Permission =
  | 'checks: write'
  | 'members: read'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'statuses: write'
  | 'contents: read'
  | 'contents: write'
  | 'deployments: write';

export interface FailureContext {
  /** What the call does, after `GitHub could not`: `read branch "main"`. */
  readonly operation: string;
  /** The permission that the call needs, for the hint. */
  readonly permission?: Permission | undefined;
  /** The hint for 403 and 404 if the missing permission is not the cause. */
  readonly deniedHint?: string | undefined;
  /** What a 404 means here; default: `not-found`. */
  readonly notFound?: RefusalCause | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Masks what was sent to GitHub and must stay secret: an answer may repeat it. */
  readonly redact: (text: string) => string;
}

/** The hint that says how to give a token a permission. */
export function permissionHint(permission: Permission): string {
  return `Add "${permission}" under "permissions:" of the job, or to the permissions of the worker's token or App. Pull requests from forks and from Dependabot always get a read-only token.`;
}

/** The hint for GitHub's 404, which has several possible causes. */
export function absentHint(permission: Permission): string {
  return `It does not exist any more, or the token may not see it. If it exists, give the token the permission "${permission}" for this repository.`;
}

const hints = {
  limit:
    'The token has reached GitHub’s rate limit. Its permissions are not the cause. Try again later, with fewer jobs at the same time.',
  token:
    'The token is wrong, expired or revoked. Its permissions are not the cause. In an action, check the input github-token. In the worker, check the App and its key, or MILLRACE_GITHUB_TOKEN.',
  suspended:
    'An owner has suspended the installation of the GitHub App. Its permissions are not the cause. Unsuspend it in the settings of the organization or account (GitHub Apps, Configure). The worker continues by itself.',
  moved:
    'The repository was renamed or transferred. The worker finds its new name by its id, if its credential has access there.',
  key: 'GitHub does not accept the key of the GitHub App: it belongs to another App, or it was deleted. Create a private key in the settings of the App, and check the id.',
  clock:
    'The clock of this host differs from GitHub’s. Set the clock by NTP. The id, the key and the installation of the GitHub App are not the cause.',
  'no-app':
    'Only a GitHub App may do this. Use the token of the workflow (github.token) or of an App. A person’s token cannot, whatever its permissions are.',
  locked:
    'The conversation is locked. The permissions of the token are not the cause. Unlock the conversation, or use the token of a person who may still write there.',
  other403: 'See the reason in GitHub’s message. It does not say that a permission is missing.',
  server:
    'GitHub itself failed. The token and its permissions are not the cause. Try again later, and check www.githubstatus.com.',
  network:
    'The connection to GitHub failed. The token and its permissions are not the cause. Check the network, the proxy settings and, for GitHub Enterprise Server, the address of its API.',
} as const;

function hintFor(
  { permission, deniedHint }: FailureContext,
  { status, cause }: GitHubFailureDetails,
): string | undefined {
  switch (cause) {
    case 'rate-limit':
      return hints.limit;
    case 'suspended':
    case 'moved':
    case 'network':
    case 'clock':
    case 'key':
    case 'locked':
    case 'no-app':
      return hints[cause];
    case 'permission':
      return deniedHint ?? (permission === undefined ? undefined : permissionHint(permission));
    case 'not-found':
    case 'not-installed':
      // GitHub answers 404 if the token may not even know that something exists.
      return deniedHint ?? (permission === undefined ? undefined : absentHint(permission));
    case 'token':
    case 'server':
    case 'other':
      break;
  }
  if (status === 401) return hints.token;
  if (status === 403) return deniedHint ?? hints.other403;
  return status !== undefined && status >= 500 ? hints.server : undefined;
}

/**
 * Converts what octokit threw to a Failure 'github-failed'. Its hint names the cause: the token, a permission, a rate
 * limit, GitHub or the network. Its details are GitHubFailureDetails and the permission. A Failure stays as it is.
 * Errors of octokit contain the request and the answer; of the cause, only its redacted texts are kept.
 */
export function githubFailure(error: unknown, context: FailureContext): Failure {
  if (error instanceof Failure) return error;
  const { operation, permission, notFound = 'not-found', now, redact } = context;
  const status = responseOf(error)?.status;
  const pauseMs = readRateLimit(error, now);
  const cause = readRefusalCause(error);
  const details: GitHubFailureDetails = {
    status,
    refused: status !== undefined && status >= 400 && status < 500,
    cause: pauseMs === undefined ? (cause === 'not-found' ? notFound : cause) : 'rate-limit',
    pauseMs,
  };
  // Masked before it is cut: a part of a secret is not recognized any more.
  const reason = shorten(oneLine(redact(messageOf(error))), 300);
  const hint = hintFor(context, details);
  return new Failure('github-failed', {
    message: `GitHub could not ${operation}${status === undefined ? '' : ` (${status})`}: ${reason}`,
    ...(hint === undefined ? {} : { hint }),
    details: { ...details, ...(permission === undefined ? {} : { permission }) },
    cause: redactedCause(error, redact),
  });
}

/** The messages of an error and its causes, without their fields. */
function redactedCause(error: unknown, redact: (text: string) => string): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = redactedCause(error.cause, redact);
  const redacted = new Error(redact(error.message), cause === undefined ? {} : { cause });
  redacted.name = error.name;
  redacted.stack = redact(error.stack ?? '');
  return redacted;
}

/** The failure of a call that was not sent, because GitHub asked for a pause that has not ended yet. */
export function pausedFailure(operation: string, pauseMs: number): Failure {
  const seconds = Math.ceil(pauseMs / 1_000);
  return new Failure('github-failed', {
    message: `Millrace did not ask GitHub to ${operation}, because GitHub demanded a pause. The pause ends in ${seconds} s.`,
    hint: hints.limit,
    details: { status: 429, refused: true, cause: 'rate-limit', pauseMs } satisfies GitHubFailureDetails,
  });
}
