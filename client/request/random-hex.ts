import type { Random } from '../../lib/core/ports/ports.ts';

const byteInHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `2 * bytes` hexadecimal digits for unique names. Not for secrets. */
export function randomHex(random: Random, bytes: number): string {
  let text = '';
  // Four bytes of each number: `Math.random` does not have enough random digits for more.
  while (text.length < 2 * bytes) {
    const number = Math.floor(random() * 0x1_0000_0000);
    for (let shift = 24; shift >= 0; shift -= 8) text += byteInHex[(number >>> shift) & 0xff] ?? '';
  }
  return text.slice(0, 2 * bytes);
}
