import type { Random } from '../model/ports.ts';

/** Hexadecimal digits for names that must not collide; no secret is made from it. */
export function randomHex(random: Random, bytes: number): string {
  return Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
}
