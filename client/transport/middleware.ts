import type { RetryClass } from '../../lib/contract/description/operation.ts';
import type { AttemptEnd } from './attempt.ts';

/** A request as a middleware sees it: without the credential, which is added after the last middleware. */
export interface AttemptRequest {
  readonly method: string;
  readonly url: string;
  /** Names as in the specification. Secrets are masked, by header name and by value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: 'text'; readonly text: string }
    /** An upload is read only once, when it is sent; middlewares see only its length. */
    | { readonly kind: 'stream'; readonly bytes: number }
    | undefined;
}

/** The call that an attempt belongs to. */
export interface AttemptContext {
  /** The operation's id; `METHOD path` for a custom request. */
  readonly operation: string;
  readonly retry: RetryClass;
  /** 1 for the first. */
  readonly attempt: number;
  /** All attempts of a call have the same id; it is sent as `x-request-id`. */
  readonly requestId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Passes the attempt to the next middleware; the last one sends the request. */
export type Next = (request: AttemptRequest) => Promise<AttemptEnd>;

/**
 * A layer around every attempt. The first in the list is the outermost. All run inside the loop of attempts, so a
 * call with three attempts passes three times. The exchange of client credentials does not pass through middlewares.
 *
 * - Call `next` once, or return an end without calling it (a cache, a circuit breaker). A second call throws, because
 *   it would bypass the retry rules.
 * - Only the headers of the request passed to `next` count: add, change or remove them. A masked header that is
 *   passed on unchanged is sent with its real value.
 * - `next` does not throw for failures of the network or the platform: it resolves to an end with a `kind`. The
 *   answer's text is fully read; reading it here consumes nothing.
 * - Middlewares see secrets masked, by value and by header name. An end that is returned unchanged reaches the caller
 *   unmasked; a new end is used as it is.
 * - Regardless of the returned end, a call that must not be repeated is not sent again once it may have been
 *   processed.
 * - An exception of a middleware ends the call without another attempt: unchanged, or as the cause of
 *   `OutcomeUnknown` if the operation must not be repeated and its request had been sent. A middleware that
 *   returns nothing ends the call too; a request that it did not await counts as possibly processed.
 */
export type Middleware = (
  request: AttemptRequest,
  next: Next,
  context: AttemptContext,
) => Promise<AttemptEnd>;
