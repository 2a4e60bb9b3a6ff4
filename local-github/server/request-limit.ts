import type { Answer } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';

/** GitHub's primary limit: a number of requests per hour for each token and resource. The REST API and GraphQL count separately. */
export interface RequestLimit {
  /** Counts a request. Undefined if it is allowed, otherwise GitHub's refusal. */
  refuse(request: Request): Answer | undefined;
  /** The headers that state how many requests are left. */
  headers(request: Request): Readonly<Record<string, string>>;
}

const hourMs = 3_600_000;

/**
 * Creates the limit.
 * @param now milliseconds since the epoch
 */
export function createRequestLimit(perHour: number, now: () => number): RequestLimit {
  const windows = new Map<string, { used: number; resetAt: number }>();
  const resourceOf = ({ path }: Request): string => (path === '/graphql' ? 'graphql' : 'core');
  function windowOf(request: Request): { used: number; resetAt: number } {
    const key = `${resourceOf(request)} ${request.headers.authorization ?? ''}`;
    const current = windows.get(key);
    if (current !== undefined && now() < current.resetAt) return current;
    const opened = { used: 0, resetAt: now() + hourMs };
    windows.set(key, opened);
    return opened;
  }
  return {
    refuse(request) {
      const window = windowOf(request);
      window.used += 1;
      return window.used > perHour
        ? { status: 403, body: { message: 'API rate limit exceeded for user ID 1.' } }
        : undefined;
    },
    headers(request) {
      const { used, resetAt } = windowOf(request);
      return {
        date: new Date(now()).toUTCString(),
        'x-ratelimit-limit': String(perHour),
        'x-ratelimit-remaining': String(Math.max(0, perHour - used)),
        'x-ratelimit-reset': String(Math.ceil(resetAt / 1_000)),
        'x-ratelimit-resource': resourceOf(request),
      };
    },
  };
}
