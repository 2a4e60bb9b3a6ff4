import { randomUUID } from 'node:crypto';
import type { Random } from '../model/ports.ts';

/** Makes v4 UUIDs and tokens: from the machine's randomness, or from a given source so that a test can repeat itself. */
export interface Ids {
  uuid(): string;
  /** A bearer token or secret that nobody can guess. */
  token(prefix: string): string;
}

export function createIds(random?: Random): Ids {
  const uuid = random === undefined ? () => randomUUID() : () => seededUuid(random);
  return {
    uuid,
    token: (prefix) => `${prefix}_${uuid().replaceAll('-', '')}${uuid().replaceAll('-', '').slice(0, 8)}`,
  };
}

function seededUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) % 4);
  const text = digits.map((digit) => digit.toString(16)).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
