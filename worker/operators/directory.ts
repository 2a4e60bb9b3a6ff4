import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type OperatorEntry, workerTokenName } from '../../lib/config/operator-schema.ts';
import type { Operator } from './operator.ts';

/** Knows operators by their tokens. */
export interface Directory {
  /** False where nobody at all may come in: no operators, and no MILLRACE_WORKER_TOKEN. */
  readonly isOpen: boolean;
  /** Whose token it is; undefined where it is nobody's. */
  identify(token: string): Operator | undefined;
  /** A mark of a token that only a holder of `key` can make or read; undefined where the token is nobody's. */
  markOf(token: string, key: string): string | undefined;
  /** Whose token has this mark, as they are now; undefined once the token or the operator is gone. */
  byMark(mark: string, key: string): Operator | undefined;
}

/**
 * The operators of worker.yaml and, as an admin under its own name, the bearer of MILLRACE_WORKER_TOKEN. Every hash is
 * compared in constant time and to the end, so that the time tells nothing of whose token nearly fits.
 */
export function createDirectory(
  entries: readonly OperatorEntry[],
  workerToken: string | undefined,
): Directory {
  const known: { readonly hash: Buffer; readonly operator: Operator }[] = entries.flatMap(
    ({ name, role, repositories, tokenHashes }) =>
      tokenHashes.map((hash) => ({
        hash: Buffer.from(hash.slice('sha256:'.length), 'hex'),
        operator: { name, role, repositories },
      })),
  );
  if (workerToken !== undefined) {
    const operator = { name: workerTokenName, role: 'admin', repositories: 'all' } as const;
    known.push({ hash: sha256(workerToken), operator });
  }
  const markOf = (hash: Buffer, key: string): Buffer => createHmac('sha256', key).update(hash).digest();
  return {
    isOpen: known.length > 0,
    identify(token) {
      const given = sha256(token);
      let found: Operator | undefined;
      for (const { hash, operator } of known) {
        if (timingSafeEqual(hash, given)) found ??= operator;
      }
      return found;
    },
    markOf(token, key) {
      const hash = sha256(token);
      const isKnown = known.some((one) => timingSafeEqual(one.hash, hash));
      return isKnown ? markOf(hash, key).toString('hex') : undefined;
    },
    byMark(mark, key) {
      const given = Buffer.from(mark, 'hex');
      const fits = (hash: Buffer): boolean =>
        given.length === 32 && timingSafeEqual(markOf(hash, key), given);
      return known.find(({ hash }) => fits(hash))?.operator;
    },
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
