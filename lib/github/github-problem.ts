import { z } from 'zod';
import { statusOf } from './request-status.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import { Failure } from '../core/failure.ts';

/** What is known of a call to GitHub that did not succeed. */
export interface Problem {
  /** GitHub's own answer; undefined where none came. */
  readonly status: number | undefined;
  /** GitHub has refused: nothing was changed. False where nobody knows. */
  readonly refused: boolean;
  /** GitHub asks for less: milliseconds in which nothing more may be sent. */
  readonly pauseMs: number | undefined;
}

/** GitHub's word for the shortest pause after a secondary limit. */
const shortestPauseMs = 60_000;

const answered = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.unknown()).default({}),
    data: z.unknown(),
  }),
});

/** Makes a Failure 'github-failed' of what octokit threw, with the Problem as its details. */
export function githubProblem(
  doing: string,
  error: unknown,
  extra: { readonly hint?: string } = {},
): Failure {
  if (error instanceof Failure) return error;
  const response = answered.safeParse(error).data?.response;
  const status = response?.status;
  const said = error instanceof Error ? `: ${shorten(oneLine(error.message), 200)}` : '';
  const problem: Problem = {
    status,
    refused: status !== undefined && status >= 400 && status < 500,
    pauseMs: response === undefined ? undefined : pauseOf(response.status, response.headers, error),
  };
  return new Failure('github-failed', {
    message: `GitHub could not ${doing}${status === undefined ? '' : ` (${status})`}${said}`,
    ...extra,
    details: { ...problem },
    cause: error,
  });
}

/** The Problem of a Failure that `githubProblem` made; of anything else nothing is known. */
export function problemOf(error: unknown): Problem {
  const details = error instanceof Failure ? error.details : {};
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return {
    status: number(details['status']),
    refused: details['refused'] === true,
    pauseMs: number(details['pauseMs']),
  };
}

/** A limit, primary or secondary: both come as 403 or 429, and only words and headers tell them from a denial. */
function pauseOf(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  error: unknown,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after'] ?? NaN);
  if (Number.isFinite(after)) return Math.max(shortestPauseMs, after * 1_000);
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset'] ?? NaN) * 1_000;
    // GitHub's clock against GitHub's: ours may be wrong.
    const now = Date.parse(String(headers['date']));
    const left = reset - now;
    return Number.isFinite(left) ? Math.max(1_000, Math.min(left, 3_600_000)) : shortestPauseMs;
  }
  const words = error instanceof Error ? error.message : '';
  return status === 429 || /rate limit|abuse/iu.test(words) ? shortestPauseMs : undefined;
}

/** Whether an error of octokit means that the thing is not there. */
export function isAbsent(error: unknown, statuses: readonly number[]): boolean {
  const status = statusOf(error);
  return status !== undefined && statuses.includes(status);
}
