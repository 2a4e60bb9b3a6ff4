import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Keys } from '../store/keys.ts';
import type { Directory } from '../operators/directory.ts';
import type { Operator } from '../operators/operator.ts';

/** Seconds for which a browser stays signed in. */
export const sessionSeconds = 12 * 3_600;

/** A signed-in browser. */
export interface Session {
  readonly operator: Operator;
  /** The token that every form of the session must send back; another site cannot know it. */
  readonly csrf: string;
}

/** Signed-in browsers, stored in Redis so that any worker knows them. */
export interface Sessions {
  /**
   * Opens a session with an operator's token; returns its id for the cookie, undefined for an invalid token.
   */
  open(token: string): Promise<string | undefined>;
  /** The operator with current rights: a changed role or a removed token counts at once. */
  find(id: string): Promise<Session | undefined>;
  close(id: string): Promise<void>;
}

/**
 * Redis stores neither the session's id nor the token: only the id's digest, and a mark of the token that only
 * the id can create. A reader of Redis cannot sign in.
 */
export function createSessions(redis: Redis, keys: Keys, directory: Directory): Sessions {
  const keyOf = (id: string): string => keys.session(createHash('sha256').update(id).digest('hex'));
  return {
    async open(token) {
      const id = randomBytes(32).toString('base64url');
      const mark = directory.markOf(token, id);
      if (mark === undefined) return undefined;
      await redis.set(keyOf(id), mark, 'EX', sessionSeconds);
      return id;
    },
    async find(id) {
      const mark = await redis.get(keyOf(id));
      const operator = mark === null ? undefined : directory.byMark(mark, id);
      return operator === undefined ? undefined : { operator, csrf: csrfOf(id) };
    },
    async close(id) {
      await redis.del(keyOf(id));
    },
  };
}

/** Whether a form sent the token of its session. */
export function isCsrf({ csrf }: Session, given: string): boolean {
  const [right, other] = [Buffer.from(csrf), Buffer.from(given)];
  return right.length === other.length && timingSafeEqual(right, other);
}

function csrfOf(id: string): string {
  return createHmac('sha256', id).update('csrf').digest('base64url');
}
