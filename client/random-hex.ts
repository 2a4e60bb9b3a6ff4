import type { Random } from '../model/ports.ts';

/** Hexadecimal digits for names that must not collide; no secret is made from it. */
export function randomHex(random: Random, bytes: number): string {
  let text = '';
  // Four bytes of each number: more would reach into the digits that `Math.random` does not have.
  while (text.length < 2 * bytes) {
    text += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, 2 * bytes);
}
