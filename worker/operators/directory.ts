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
 * A directory of the operators in worker.yaml and of the bearer of MILLRACE_WORKER_TOKEN, who is an admin with its
 * own name. Compares every hash in constant time, so that the time does not reveal a partial match.
 */
export function createDirectory(
  entries: readonly OperatorEntry[],
  workerToken: string | undefined,
): Directory {
  const tokens: { readonly hash: Buffer; readonly operator: Operator }[] = entries.flatMap(
    ({ name, role, repositories, tokenHashes }) =>
      tokenHashes.map((hash) => ({
        hash: Buffer.from(hash.slice('sha256:'.length), 'hex'),
        operator: { name, role, repositories },
      })),
  );
  if (workerToken !== undefined) {
    const operator = { name: workerTokenName, role: 'admin', repositories: 'all' } as const;
    tokens.push({ hash: sha256(workerToken), operator });
  }
  const markOf = (hash: Buffer, key: string): Buffer => createHmac('sha256', key).update(hash).digest();
  return {
    isOpen: tokens.length > 0,
    identify(token) {
      const tokenHash = sha256(token);
      let match: Operator | undefined;
      for (const { hash, operator } of tokens) {
        if (timingSafeEqual(hash, tokenHash)) match ??= operator;
      }
      return match;
    },
    markOf(token, key) {
      const hash = sha256(token);
      const isKnown = tokens.some((entry) => timingSafeEqual(entry.hash, hash));
      return isKnown ? markOf(hash, key).toString('hex') : undefined;
    },
    byMark(mark, key) {
      const markBytes = Buffer.from(mark, 'hex');
      const fits = (hash: Buffer): boolean =>
        markBytes.length === 32 && timingSafeEqual(markOf(hash, key), markBytes);
      return tokens.find(({ hash }) => fits(hash))?.operator;
    },
  };
}

/** A directory that follows changes of worker.yaml and of the worker's own token. */
export function followDirectory(
  operators: () => readonly OperatorEntry[],
  workerToken: () => string | undefined = () => undefined,
): Directory {
  let followed = { entries: operators(), currentToken: workerToken() };
  let directory = createDirectory(followed.entries, followed.currentToken);
  const current = (): Directory => {
    const [entries, currentToken] = [operators(), workerToken()];
    if (entries !== followed.entries || currentToken !== followed.currentToken) {
      followed = { entries, currentToken };
      directory = createDirectory(entries, currentToken);
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
