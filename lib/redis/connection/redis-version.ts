/** The oldest Redis that BullMQ supports. Valkey reports a Redis version too (7.2.4 and later). */
export const oldestRedis = '6.2.0';

/** Compares dotted versions by number; an invalid version counts as older than every other. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [index, minimum] of b.entries()) {
    const actual = a[index] ?? 0;
    if (Number.isNaN(actual) || actual < minimum) return false;
    if (actual > minimum) return true;
  }
  return true;
}
