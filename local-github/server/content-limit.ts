import type { Answer } from '../answers/answer.ts';
import { isMutation, mutationsIn } from '../graphql/answer-mutation.ts';
import type { Request } from '../answers/request.ts';

/**
 * GitHub's secondary limit of requests that create content: documented are 80 a minute and 500 an hour, of both APIs
 * together. It does not document whether several mutations of one request count as one: `eachMutation` counts them all.
 */
export interface ContentLimits {
  readonly perMinute: number;
  readonly perHour: number;
  readonly eachMutation?: boolean;
}

export const documentedContentLimits: ContentLimits = { perMinute: 80, perHour: 500 };

export interface ContentLimit {
  /** Counts a request that writes. Undefined if it is allowed, otherwise GitHub's refusal. */
  refuse(request: Request): Answer | undefined;
}

const hourMs = 3_600_000;

/**
 * Creates the limit.
 * @param now milliseconds since the epoch
 */
export function createContentLimit(
  { perMinute, perHour, eachMutation = false }: ContentLimits,
  now: () => number,
): ContentLimit {
  let counted: readonly number[] = [];
  return {
    refuse(request) {
      const isWrite =
        request.path === '/graphql'
          ? isMutation(request)
          : request.method !== 'GET' && !/\/(?:access_tokens|attempts)$/u.test(request.path);
      if (!isWrite) return undefined;
      const at = now();
      const size = eachMutation ? Math.max(1, mutationsIn(request).length) : 1;
      counted = counted.filter((time) => time > at - hourMs);
      const inMinute = counted.filter((time) => time > at - 60_000).length;
      if (inMinute + size > perMinute || counted.length + size > perHour)
        return {
          status: 403,
          headers: { 'retry-after': '60' },
          body: {
            message:
              'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.',
          },
        };
      counted = [...counted, ...Array.from({ length: size }, () => at)];
      return undefined;
    },
  };
}
