import type { FastifyRequest } from 'fastify';
import { bearerOf } from '../operators/bearer.ts';
import type { Directory } from '../operators/directory.ts';
import { isSameOrigin } from './is-same-origin.ts';
import type { Operator } from '../operators/operator.ts';
import { sessionIdOf } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** Authenticates requests. */
export interface Access {
  readonly directory: Directory;
  readonly sessions: Sessions;
  /**
   * The operator of the request's token, else of its browser session; undefined if neither is valid. A
   * session's request that changes something must come from one of our own pages.
   */
  identify(request: Pick<FastifyRequest, 'cookies' | 'headers' | 'method'>): Promise<Operator | undefined>;
}

export function createAccess(directory: Directory, sessions: Sessions): Access {
  return {
    directory,
    sessions,
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
