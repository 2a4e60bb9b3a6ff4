/** Draws that a seed makes repeatable. */
export interface Seeded {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  /** `count` of them, in their order; all where there are fewer. */
  sample<T>(from: readonly T[], count: number): T[];
  /** A generator of its own for a part, so that parts do not disturb each other. */
  fork(name: string): Seeded;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  // Mulberry32: small, and good enough to pick moments.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    sample(from, count) {
      let left = from.length;
      let wanted = Math.min(count, left);
      return from.filter(() => {
        const taken = next() * left < wanted;
        left -= 1;
        if (taken) wanted -= 1;
        return taken;
      });
    },
    fork: (name) =>
      seeded(name.split('').reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), seed)),
  };
}
