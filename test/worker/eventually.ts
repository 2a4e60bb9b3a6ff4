import { expect } from 'vitest';

/** Waits until something holds. Long enough for a busy machine; a test that passes waits no longer than it must. */
export function eventually<T>(look: () => T | Promise<T>, timeout = 20_000) {
  return expect.poll(look, { timeout, interval: 50 });
}
