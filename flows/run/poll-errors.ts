import { PlatformFailed, RateLimited } from '../../client/index.ts';
import type { ErrorCode } from '../../lib/core/error-catalogue.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Clock } from '../../lib/core/ports.ts';

/** A refusal that nothing but these has followed for so long is not going to pass. */
export const maxRefusalMs = 300_000;

/** More asking cannot change it: the credential lacks the role. */
const finalCodes: ReadonlySet<ErrorCode> = new Set(['forbidden']);
/**
 * It may pass: a list that lags behind, a token that is being rotated, something in front of the platform that is being
 * restarted. For minutes on end it is an answer.
 */
const refusalCodes: ReadonlySet<ErrorCode> = new Set([
  'not-found',
  'unauthorized',
  'no-token',
  'request-invalid',
  'conflict',
  'version-disabled',
]);

/** What trouble while something is polled comes to. */
export interface PollErrorVerdict {
  /** Waiting any longer is of no use. */
  readonly isFinal: boolean;
  /** The platform says that what is polled is not there, or not for this credential. */
  readonly isRefusal: boolean;
  /** Milliseconds that the platform asked to wait; 0 where it asked for nothing. */
  readonly askedMs: number;
}

/**
 * Tells trouble that passes from trouble that does not, while something is polled. All but refusals pass: server errors,
 * silence, web pages in place of answers. A 403 is final at once, any other refusal once it has lasted
 * {@link maxRefusalMs} without another end in between.
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
