import { randomUUID } from 'node:crypto';
import type { Random } from '../../lib/core/ports/ports.ts';
import { seededRandom } from './seeded-random.ts';

/** Creates v4 UUIDs and tokens from system randomness, or from a given source so that tests are repeatable. */
export interface Ids {
  uuid(): string;
  /** An id from a separate stream, because the number of requests must not change other ids. */
  requestId(): string;
  /** A bearer token or secret. It is unguessable unless ids are seeded. */
  token(prefix: string): string;
  /** The sequence restarts after what was drawn so far: the ids that a filled seed has. */
  keepDrawn(): void;
  /** Restarts the sequence if the source is a seed. */
  restart(): void;
}

/** The source of ids. Default: system randomness. */
export interface IdSource {
  readonly random?: Random | undefined;
  readonly seed?: number | undefined;
  /** Number of earlier starts with this state: a seed then creates other ids, because the first ones are in use. */
  readonly starts?: number;
}

export function createIds({ random, seed, starts = 0 }: IdSource): Ids {
  let drawn = 0;
  let kept = 0;
  const counted = (source: Random): Random => {
    drawn = 0;
    return () => {
      drawn += 1;
      return source();
    };
  };
  const begin = (start: number) => {
    const things =
      random ?? (seed === undefined ? undefined : counted(seededRandom(seed + start * 0x9e3779b1)));
    // Drawn once, so that the two streams are independent.
    const requests = things && seededRandom(Math.floor(things() * 2 ** 32));
    return { things, requests };
  };
  let { things, requests } = begin(starts);
  const uuid = () => (things === undefined ? randomUUID() : uuidFrom(things));
  return {
    uuid,
    requestId: () => (requests === undefined ? randomUUID() : uuidFrom(requests)),
    token: (prefix) => `${prefix}_${uuid().replaceAll('-', '')}${uuid().replaceAll('-', '').slice(0, 8)}`,
    keepDrawn() {
      kept = drawn;
    },
    restart() {
      if (random !== undefined) return;
      ({ things, requests } = begin(0));
      for (let left = kept - drawn; left > 0; left -= 1) things?.();
    },
  };
}

function uuidFrom(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) % 4);
  const text = digits.map((digit) => digit.toString(16)).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
