import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type OperatorEntry, workerTokenName } from '../../lib/config/worker/operator-schema.ts';
import type { Operator } from './operator.ts';

/** Finds operators by their tokens. */
export interface Directory {
  /** False if no one can authenticate: no operators, and no MILLRACE_WORKER_TOKEN. */
  readonly isOpen: boolean;
  /** The operator with this token; undefined for an invalid token. */
  identify(token: string): Operator | undefined;
  /** A mark of a token that only a holder of `key` can create or read; undefined for an invalid token. */
  markOf(token: string, key: string): string | undefined;
  /**
   * The operator whose token has this mark, with current rights; undefined once the token or the operator was
   * removed.
   */
  byMark(mark: string, key: string): Operator | undefined;
}

/**
 * The operators of worker.yaml and, as an admin under its own name, the bearer of MILLRACE_WORKER_TOKEN.
 * Compares every hash in constant time and to the end, so that the time does not reveal a partial match.
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

/** The directory of the operators that worker.yaml lists now, and of the worker's own token as it is now. */
export function followDirectory(
  operators: () => readonly OperatorEntry[],
  workerToken: () => string | undefined = () => undefined,
): Directory {
  let known = { entries: operators(), own: workerToken() };
  let directory = createDirectory(known.entries, known.own);
  const current = (): Directory => {
    const [entries, own] = [operators(), workerToken()];
    if (entries !== known.entries || own !== known.own) {
      known = { entries, own };
      directory = createDirectory(entries, own);
    }
    return directory;
  };
  return {
    get isOpen() {
      return current().isOpen;
    },
    identify: (token) => current().identify(token),
    markOf: (token, key) => current().markOf(token, key),
    byMark: (mark, key) => current().byMark(mark, key),
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
