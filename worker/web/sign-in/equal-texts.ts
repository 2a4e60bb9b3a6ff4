import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not reveal where they differ. */
export function equalTexts(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)];
  return a.length === b.length && timingSafeEqual(a, b);
}
