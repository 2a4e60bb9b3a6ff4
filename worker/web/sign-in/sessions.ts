import { createHmac, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Keys } from '../../store/scripts/keys.ts';
import type { Directory } from '../../operators/directory.ts';
import type { Operator } from '../../operators/operator.ts';
import { equalTexts } from './equal-texts.ts';
import { type GitHubSession, type GitHubSessions, sessionKey } from './github-sessions.ts';

/** How long a browser stays signed in, in seconds. */
export const sessionSeconds = 12 * 3_600;

/** The session of a signed-in browser. */
export interface Session {
  readonly operator: Operator;
  /** The token that every form of the session must send back; another site cannot know it. */
  readonly csrf: string;
}

/** The sessions of signed-in browsers. They are in Redis, so that any worker knows them. */
export interface Sessions {
  /**
   * Opens a session with an operator's token; returns its id for the cookie, undefined for an invalid token.
   */
  open(token: string): Promise<string | undefined>;
  /** Opens a session for a person whom GitHub named; undefined once sign-in is no longer configured. */
  openFor(session: GitHubSession): Promise<string | undefined>;
  /**
   * The operator with current rights: a changed role or a removed token counts at once, a team that was left after some
   * minutes. Throws Unavailable while GitHub does not say who is in the team.
   */
  find(id: string): Promise<Session | undefined>;
  close(id: string): Promise<void>;
}

/**
 * Redis stores neither a session's id nor the token: only the digest of the id, and a mark of the token that only
 * the id can create. So a person who can read Redis cannot sign in.
 */
export function createSessions(
  redis: Redis,
  keys: Keys,
  directory: Directory,
  github?: GitHubSessions,
): Sessions {
  const keyOf = (id: string): string => sessionKey(keys, id);
  const keep = async (id: string, text: string | undefined): Promise<string | undefined> => {
    if (text === undefined) return undefined;
    await redis.set(keyOf(id), text, 'EX', sessionSeconds);
    return id;
  };
  return {
    async open(token) {
      const id = createId();
      return keep(id, directory.markOf(token, id));
    },
    async openFor(session) {
      const id = createId();
      return keep(id, github?.seal(id, session));
    },
    async find(id) {
      const stored = await redis.get(keyOf(id));
      if (stored === null) return undefined;
      const operator = directory.byMark(stored, id) ?? (await github?.find(id, stored));
      return operator === undefined ? undefined : { operator, csrf: csrfOf(id) };
    },
    async close(id) {
      await redis.del(keyOf(id));
    },
  };
}

/** Whether a form sent the CSRF token of its session. */
export function isCsrf({ csrf }: Session, token: string): boolean {
  return equalTexts(csrf, token);
}

function createId(): string {
  return randomBytes(32).toString('base64url');
}

function csrfOf(id: string): string {
  return createHmac('sha256', id).update('csrf').digest('base64url');
}
