import { z } from 'zod';
import { statusOf } from './request-status.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import { Failure } from '../core/failure.ts';

/** The facts of a failed call to GitHub. */
export interface Problem {
  /** The HTTP status of GitHub's answer; undefined where there was no answer. */
  readonly status: number | undefined;
  /** True where GitHub refused the call, so nothing changed. False where this is unknown. */
  readonly refused: boolean;
  /** The wait that a rate limit of GitHub requires, in milliseconds. */
  readonly pauseMs: number | undefined;
}

/** GitHub's documented minimum wait after a secondary rate limit, in milliseconds. */
const minPauseMs = 60_000;

const answered = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.unknown()).default({}),
    data: z.unknown(),
  }),
});

/** Converts an error of octokit to a Failure 'github-failed', with the Problem as its details. */
export function githubProblem(
  doing: string,
  error: unknown,
  extra: { readonly hint?: string } = {},
): Failure {
  if (error instanceof Failure) return error;
  const response = answered.safeParse(error).data?.response;
  const status = response?.status;
  const answerText = error instanceof Error ? `: ${shorten(oneLine(error.message), 200)}` : '';
  const problem: Problem = {
    status,
    refused: status !== undefined && status >= 400 && status < 500,
    pauseMs: response === undefined ? undefined : pauseOf(response.status, response.headers, error),
  };
  return new Failure('github-failed', {
    message: `GitHub could not ${doing}${status === undefined ? '' : ` (${status})`}${answerText}`,
    ...extra,
    details: { ...problem },
    cause: error,
  });
}

/** The Problem of a Failure from `githubProblem`; for other errors, a Problem without facts. */
export function problemOf(error: unknown): Problem {
  const details = error instanceof Failure ? error.details : {};
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return {
    status: number(details['status']),
    refused: details['refused'] === true,
    pauseMs: number(details['pauseMs']),
  };
}

/**
 * The wait of a primary or secondary rate limit. Both are 403 or 429; only the text and headers distinguish them from
 * a denial.
 */
function pauseOf(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  error: unknown,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after'] ?? NaN);
  if (Number.isFinite(after)) return Math.max(minPauseMs, after * 1_000);
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset'] ?? NaN) * 1_000;
    // Both times are GitHub's, because our clock may be wrong.
    const now = Date.parse(String(headers['date']));
    const left = reset - now;
    return Number.isFinite(left) ? Math.max(1_000, Math.min(left, 3_600_000)) : minPauseMs;
  }
  const words = error instanceof Error ? error.message : '';
  return status === 429 || /rate limit|abuse/iu.test(words) ? minPauseMs : undefined;
}

/** Whether an error of octokit means that the thing does not exist. */
export function isAbsent(error: unknown, statuses: readonly number[]): boolean {
  const status = statusOf(error);
  return status !== undefined && statuses.includes(status);
}
