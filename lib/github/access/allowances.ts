import { z } from 'zod';

/**
 * The requests that GitHub still allows in the current hour for one resource, such as `core` (the REST API) or
 * `graphql`.
 */
export interface Allowance {
  /** The account whose calls are counted; a name, never a secret. */
  readonly account: string;
  readonly resource: string;
  /** Requests per hour; for `graphql`, points per hour. */
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch, by GitHub's clock. */
  readonly resetAt: number;
}

/** The allowances as GitHub's last answers stated them. Kept in the memory of this process. */
export interface Allowances {
  /** Records the headers of an answer; header names are lower case. */
  record(account: string, headers: Readonly<Record<string, unknown>>): void;
  all(): readonly Allowance[];
  /** Whether at least half of the allowance of a resource is left; true while nothing is known. `now`: milliseconds since the epoch. */
  hasHalf(account: string, resource: string, now: number): boolean;
}

const count = z.coerce.number().int().nonnegative();
const stated = z.object({
  'x-ratelimit-limit': count.positive(),
  'x-ratelimit-remaining': count,
  'x-ratelimit-reset': count,
  'x-ratelimit-resource': z.string().max(100).default('core'),
});

export function createAllowances(): Allowances {
  const latest = new Map<string, Allowance>();
  return {
    record(account, headers) {
      // A company's own server may have no limit. Parsing absent headers would cost more than reading the answer.
      const rateLimit =
        headers['x-ratelimit-limit'] === undefined ? undefined : stated.safeParse(headers).data;
      if (rateLimit === undefined) return;
      const resource = rateLimit['x-ratelimit-resource'];
      latest.set(`${resource} ${account}`, {
        account,
        resource,
        limit: rateLimit['x-ratelimit-limit'],
        remaining: rateLimit['x-ratelimit-remaining'],
        resetAt: rateLimit['x-ratelimit-reset'] * 1_000,
      });
    },
    all: () => [...latest.values()],
    hasHalf(account, resource, now) {
      const allowance = latest.get(`${resource} ${account}`);
      return (
        allowance === undefined || now >= allowance.resetAt || allowance.remaining * 2 >= allowance.limit
      );
    },
  };
}
