import type { Clock, Logger } from '../lib/core/ports.ts';
import { abortable } from './abortable.ts';
import type { Authentication } from './authentication.ts';

/** A token as the token URL issued it. */
export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Renewed when so much of the lifetime is over (unknowns §1: there is no refresh token). */
const renewAfter = 0.8;

/**
 * Keeps a token from client credentials: asked for once for any number of concurrent calls, renewed at 80 % of
 * its lifetime. No call waits for a renewal while the old token is valid, and one that fails then is only logged.
 */
export function clientCredentials(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Has its own time-outs; no caller's signal ends it, because others may wait for it too. `signal` aborts when the
   * client closes.
   */
  request(signal: AbortSignal): Promise<IssuedToken>;
}): Authentication {
  const { clock, logger } = parts;
  let current: { token: string; renewAt: number; expiresAt: number } | undefined;
  let underWay: Promise<string> | undefined;
  const closed = new AbortController();

  async function issue(): Promise<string> {
    const asked = clock.now();
    const { token, lifetimeMs } = await parts.request(closed.signal);
    current = { token, renewAt: asked + renewAfter * lifetimeMs, expiresAt: asked + lifetimeMs };
    return token;
  }

  function fresh(): Promise<string> {
    underWay ??= issue().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  /** In the background: a call that has a valid token does not wait for the next one. */
  function renewEarly(): void {
    if (underWay !== undefined) return;
    fresh().catch((error: unknown) => {
      if (closed.signal.aborted) return;
      logger.warn('the token could not be renewed; the old one is used until it expires', {
        problem: error instanceof Error ? error.message : String(error),
      });
    });
  }

  return {
    async token(signal) {
      signal?.throwIfAborted();
      const now = clock.now();
      if (current === undefined || now >= current.expiresAt) return abortable(fresh(), signal);
      if (now >= current.renewAt) renewEarly();
      return current.token;
    },
    async renew(refused) {
      // Another call may have renewed it meanwhile.
      if (current?.token === refused) current = undefined;
      return true;
    },
    close: () => closed.abort(new Error('the client was closed')),
  };
}
