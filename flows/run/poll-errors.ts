import { PlatformFailed, RateLimited } from '../../client/index.ts';
import type { ErrorCode } from '../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';

/** How long refusals may continue without another result before polling stops, in milliseconds. */
export const maxRefusalMs = 300_000;

/** Final errors: the credential lacks the role, so polling again cannot help. */
const finalCodes: ReadonlySet<ErrorCode> = new Set(['forbidden']);
/**
 * These may be temporary: a list that lags, a token that is being rotated, a proxy that restarts. After minutes they
 * are final.
 */
const refusalCodes: ReadonlySet<ErrorCode> = new Set([
  'not-found',
  'unauthorized',
  'no-token',
  'request-invalid',
  'conflict',
  'version-disabled',
]);

/** Whether an error of a poll is temporary or final. */
export interface PollErrorVerdict {
  /** Polling again cannot help. */
  readonly isFinal: boolean;
  /** The platform refuses the request: not found, or no access. */
  readonly isRefusal: boolean;
  /** Milliseconds that the platform asked to wait; 0 if it did not ask. */
  readonly askedMs: number;
}

/**
 * Separates temporary errors from final ones while polling. Everything except a refusal is temporary: server errors,
 * missing answers, web pages instead of answers. A 403 is final at once; any other refusal after {@link maxRefusalMs}
 * without another result in between.
 */
export function createPollErrorTracker({ now }: Pick<Clock, 'now'>): {
  classify(error: unknown): PollErrorVerdict;
  succeeded(): void;
} {
  let refusedSince: number | undefined;
  return {
    classify(error) {
      const code = error instanceof Failure ? error.code : undefined;
      const isFinal = code !== undefined && finalCodes.has(code);
      const isRefusal = isFinal || (code !== undefined && refusalCodes.has(code));
      refusedSince = isRefusal ? (refusedSince ?? now()) : undefined;
      return {
        isFinal: isFinal || (refusedSince !== undefined && now() - refusedSince >= maxRefusalMs),
        isRefusal,
        askedMs: askedWaitMs(error),
      };
    },
    succeeded() {
      refusedSince = undefined;
    },
  };
}

function askedWaitMs(error: unknown): number {
  const asks = error instanceof RateLimited || error instanceof PlatformFailed;
  return asks ? (error.retryAfterMs ?? 0) : 0;
}
