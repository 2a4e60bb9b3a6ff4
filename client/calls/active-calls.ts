import { Failure } from '../../lib/core/errors/failure.ts';

/** Accepts calls until the client is closed. Closing waits until all active calls have ended. */
export interface ActiveCalls {
  /** @throws {Failure} `usage` after `close`. */
  track<Value>(call: () => Promise<Value>): Promise<Value>;
  /** Always returns the same promise. */
  close(): Promise<void>;
}

export function trackActiveCalls(closeConnections: () => Promise<void>): ActiveCalls {
  const idle = Promise.withResolvers<void>();
  let active = 0;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (active > 0) await idle.promise;
    await closeConnections();
  };
  return {
    async track(call) {
      if (closing !== undefined)
        throw new Failure('usage', { message: 'The client is closed.', hint: 'Create a new client.' });
      active += 1;
      try {
        return await call();
      } finally {
        active -= 1;
        if (active === 0 && closing !== undefined) idle.resolve();
      }
    },
    close: async () => (closing ??= close()),
  };
}
