import { maxRepositories } from '../../../lib/github/endpoints/repository-states.ts';

/**
 * How often a sweep may send single requests for a repository, so that a thousand repositories stay below half of
 * the 5,000 requests an hour that GitHub allows. Requests that read the state of fifty repositories at once are not
 * counted.
 */
export interface Pace {
  /** Between two reads of the deliveries of one webhook, in milliseconds. 1,000 repositories: 50 minutes. */
  readonly deliveriesMs: number;
  /** Between two checks of the recovery source of one repository, in milliseconds. 1,000 repositories: 2.8 hours. */
  readonly sourceMs: number;
}

const deliveriesMsEach = 3_000;
const sourceMsEach = 10_000;
const minSourceMs = 3_600_000;

export function paceOf(repositories: number, sweepMs: number): Pace {
  return {
    deliveriesMs: Math.max(sweepMs, repositories * deliveriesMsEach),
    sourceMs: Math.max(minSourceMs, repositories * sourceMsEach),
  };
}

/** How many requests of each kind one sweep may send, so that the requests are spread over the sweeps. */
export function createBudget(
  repositories: number,
  sweepMs: number,
  pace: Pace,
): Readonly<Record<keyof Pace, () => boolean>> {
  const share = (intervalMs: number): (() => boolean) => {
    let left = Math.ceil((repositories * sweepMs) / intervalMs);
    return () => {
      left -= 1;
      return left >= 0;
    };
  };
  return { deliveriesMs: share(pace.deliveriesMs), sourceMs: share(pace.sourceMs) };
}

/**
 * About how many requests an hour the sweeps of this many repositories need at most, with and without access to
 * webhooks.
 */
export function requestsPerHour(
  { withWebhook, others }: { readonly withWebhook: number; readonly others: number },
  sweepMs: number,
): number {
  const hourMs = 3_600_000;
  const repositories = withWebhook + others;
  const { deliveriesMs, sourceMs } = paceOf(repositories, sweepMs);
  const requests = Math.ceil(repositories / maxRepositories) * (hourMs / sweepMs);
  return Math.ceil(requests + (withWebhook * hourMs) / deliveriesMs + (repositories * hourMs) / sourceMs);
}
