import { expect } from 'vitest';

/** Waits until something holds; a test that passes waits no longer than it must. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look);
}
