import { Failure } from '../lib/core/failure.ts';

/** Lets calls through until the client is closed, and those that are under way to their ends, waits included. */
export interface CallsUnderWay {
  /** @throws {Failure} `usage` where the client is closed. */
  track<Value>(call: () => Promise<Value>): Promise<Value>;
  /** The same promise however often it is asked for. */
  close(): Promise<void>;
}

export function callsUnderWay(closeConnections: () => Promise<void>): CallsUnderWay {
  const idle = Promise.withResolvers<void>();
  let underWay = 0;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (underWay > 0) await idle.promise;
    await closeConnections();
  };
  return {
    async track(call) {
      if (closing !== undefined) throw new Failure('usage', { message: 'The client is closed.' });
      underWay += 1;
      try {
        return await call();
      } finally {
        underWay -= 1;
        if (underWay === 0 && closing !== undefined) idle.resolve();
      }
    },
    close: async () => (closing ??= close()),
  };
}
