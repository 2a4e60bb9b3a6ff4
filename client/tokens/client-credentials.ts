import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Clock, Logger } from '../../lib/core/ports/ports.ts';
import { abortable } from '../transport/abortable.ts';
import type { Authentication } from '../calls/authentication.ts';

/** A token from the token URL. */
export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Share of the lifetime after which the token is renewed (unknowns §1: there is no refresh token). */
const renewAfter = 0.8;

/**
 * Keeps a token from client credentials. Concurrent calls share one request; the token is renewed at 80 % of its
 * lifetime. No call waits for a renewal while the old token is valid; a renewal that fails before that is only
 * logged.
 */
export function clientCredentials(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * The request for a token has its own time-outs. No caller's signal aborts it, because other callers may wait for it too. `signal` aborts
   * when the client closes.
   */
  request(signal: AbortSignal): Promise<IssuedToken>;
}): Authentication {
  const { clock, logger } = parts;
  let current: { token: string; renewAt: number; expiresAt: number } | undefined;
  let pendingIssue: Promise<string> | undefined;
  const closed = new AbortController();

  async function issue(): Promise<string> {
    const requestedAt = clock.now();
    const { token, lifetimeMs } = await parts.request(closed.signal);
    current = { token, renewAt: requestedAt + renewAfter * lifetimeMs, expiresAt: requestedAt + lifetimeMs };
    return token;
  }

  function issueOnce(): Promise<string> {
    pendingIssue ??= issue().finally(() => {
      pendingIssue = undefined;
    });
    return pendingIssue;
  }

  /** Renews in the background, so that no call with a valid token waits. */
  function renewEarly(): void {
    if (pendingIssue !== undefined) return;
    issueOnce().catch((error: unknown) => {
      if (closed.signal.aborted) return;
      logger.warn('A new token could not be fetched. The old one is used until it expires.', {
        problem: messageOf(error),
      });
    });
  }

  return {
    token(signal) {
      signal?.throwIfAborted();
      const now = clock.now();
      if (current === undefined || now >= current.expiresAt) return abortable(issueOnce(), signal);
      if (now >= current.renewAt) renewEarly();
      return current.token;
    },
    async renew(refused) {
      // Another call may already have renewed it.
      if (current?.token === refused) current = undefined;
      return true;
    },
    close: () => closed.abort(new Error('the client was closed')),
  };
}
