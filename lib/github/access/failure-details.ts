import { Failure } from '../../core/errors/failure.ts';
import type { RefusalCause } from './refusal-cause.ts';

/** The facts about a failed call to GitHub, for its caller. */
export interface GitHubFailureDetails {
  /** HTTP status of GitHub's response; `undefined` if no response arrived. */
  readonly status: number | undefined;
  /** GitHub refused the request (4xx): it had no effect. If false, its effect is unknown. */
  readonly refused: boolean;
  readonly cause: RefusalCause;
  /** GitHub asks for fewer requests: milliseconds in which nothing may be sent. */
  readonly pauseMs: number | undefined;
}

/** The details of a Failure from `githubFailure`; empty for any other error. */
export function failureDetails(error: unknown): GitHubFailureDetails {
  const details = error instanceof Failure ? error.details : {};
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return {
    status: number(details['status']),
    refused: details['refused'] === true,
    cause: (details['cause'] as RefusalCause | undefined) ?? 'other',
    pauseMs: number(details['pauseMs']),
  };
}
