import { expect } from 'vitest';

/** Waits until something holds; a test that passes waits no longer than it must. */
export function eventually<T>(poll: () => T | Promise<T>) {
  return expect.poll(poll);
}
