import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that says nothing about where two texts differ. */
export function equalTexts(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)];
  return a.length === b.length && timingSafeEqual(a, b);
}
