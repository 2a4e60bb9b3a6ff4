import type { FastifyRequest } from 'fastify';
import { bearerOf } from '../../operators/bearer.ts';
import type { Directory } from '../../operators/directory.ts';
import { isSameOrigin } from '../../../lib/http/is-same-origin.ts';
import type { Operator } from '../../operators/operator.ts';
import { sessionIdOf } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { GitHubSignIn } from './github-sign-in.ts';

/** Finds out which operator sent a request. */
export interface Access {
  readonly directory: Directory;
  readonly sessions: Sessions;
  /** Undefined if operators cannot sign in with GitHub. */
  readonly signIn: () => GitHubSignIn | undefined;
  /** False if no one can authenticate, neither by a token nor by GitHub. */
  readonly isOpen: () => boolean;
  /**
   * The operator of the request's token, else of its browser session; undefined if neither is valid. A
   * session's request that changes something must come from one of our own pages.
   */
  identify(request: Pick<FastifyRequest, 'cookies' | 'headers' | 'method'>): Promise<Operator | undefined>;
}

export function createAccess(
  directory: Directory,
  sessions: Sessions,
  signIn: Access['signIn'] = () => undefined,
): Access {
  return {
    directory,
    sessions,
    signIn,
    isOpen: () => directory.isOpen || signIn() !== undefined,
    async identify(request) {
      const { authorization } = request.headers;
      if (authorization !== undefined) {
        const token = bearerOf(authorization);
        return token === undefined ? undefined : directory.identify(token);
      }
      const id = sessionIdOf(request);
      if (id === undefined) return undefined;
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request)) return undefined;
      return (await sessions.find(id))?.operator;
    },
  };
}
