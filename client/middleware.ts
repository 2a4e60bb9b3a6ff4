import type { RetryClass } from '../lib/contract/operation.ts';
import type { AttemptEnd } from './attempt.ts';

/** What a middleware sees of a request: everything but the credential, which is added after the last middleware. */
export interface AttemptRequest {
  readonly method: string;
  readonly url: string;
  /** Names as the specification writes them. What is secret by its name or its value is masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: 'text'; readonly text: string }
    /** An upload is read once, by the wire; only its length can be seen. */
    | { readonly kind: 'stream'; readonly bytes: number }
    | undefined;
}

/** The call that an attempt belongs to. */
export interface AttemptContext {
  /** The operation's id; `METHOD path` for a request that the contract does not know. */
  readonly operation: string;
  readonly retry: RetryClass;
  /** 1 for the first. */
  readonly attempt: number;
  /** The same for all attempts of a call; it travels as `x-request-id`. */
  readonly requestId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Hands the attempt on to the next middleware, and from the last one to the wire. */
export type Next = (request: AttemptRequest) => Promise<AttemptEnd>;

/**
 * A layer around every attempt. The first in the list is the outermost; all run inside the loop of attempts, so that
 * a call that is sent three times passes three times. The exchange of client credentials does not pass.
 *
 * - Call `next` once, or not at all and make up an end (a cache, a circuit breaker). A second time throws: it would
 *   send again behind the back of the retry rules.
 * - Of the request that is handed to `next` only the headers count: add, change or leave out. A header that is handed
 *   on masked travels unmasked.
 * - `next` does not throw for what the network or the platform does: the end is a value, `kind` tells which. An
 *   answer's text was read whole; reading it here takes it away from nobody.
 * - Secrets are masked by value and by header name in all that is seen here. An end that is returned as it came
 *   reaches the caller unmasked; one that was made from it is taken as it is.
 * - Whatever is returned, a call that must not be repeated is not sent again once it may have been processed.
 * - What a middleware throws ends the call, without another attempt: as it was thrown, or as the cause of
 *   `OutcomeUnknown` where the request of an operation that must not be repeated had left. So does one that returns
 *   nothing, and a request that it did not wait for counts as one that may have been processed.
 */
export type Middleware = (
  request: AttemptRequest,
  next: Next,
  context: AttemptContext,
) => Promise<AttemptEnd>;
