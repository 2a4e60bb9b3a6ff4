import type { Clock, Logger } from '../model/ports.ts';
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
 * its lifetime. A renewal that fails while the old token still lives is only logged.
 */
export function clientCredentials(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Has its own time-outs; no caller's signal ends it, because others may wait for it too. */
  request(): Promise<IssuedToken>;
}): Authentication {
  const { clock, logger } = parts;
  let current: { token: string; renewAt: number; expiresAt: number } | undefined;
  let underWay: Promise<string> | undefined;

  async function issue(): Promise<string> {
    const asked = clock.now();
    const { token, lifetimeMs } = await parts.request();
    current = { token, renewAt: asked + renewAfter * lifetimeMs, expiresAt: asked + lifetimeMs };
    return token;
  }

  async function fresh(): Promise<string> {
    underWay ??= issue().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return {
    async token(signal) {
      if (current !== undefined && clock.now() < current.renewAt) return current.token;
      try {
        return await abortable(fresh(), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (current === undefined || clock.now() >= current.expiresAt) throw error;
        logger.warn('the token could not be renewed; the old one is used until it expires', {
          problem: error instanceof Error ? error.message : String(error),
        });
        return current.token;
      }
    },
    async renew(refused) {
      // Another call may have renewed it meanwhile.
      if (current?.token === refused) current = undefined;
      return true;
    },
  };
}
