import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionSeconds } from './sessions.ts';

const name = 'millrace_session';

/** The id of the session in the cookies of a request. */
export function sessionIdOf({ cookies }: Pick<FastifyRequest, 'cookies'>): string | undefined {
  const id = cookies[name];
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}

/**
 * Sets the session's cookie; '' as id removes it. Scripts cannot read it, and requests from other sites do not
 * carry it. It is `Secure` if the browser uses TLS to the proxy in front of the worker.
 */
export function setSessionCookie(
  id: string,
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  isSecure = request.headers['x-forwarded-proto'] === 'https',
): void {
  void reply.setCookie(name, id, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: id === '' ? 0 : sessionSeconds,
    secure: isSecure,
  });
}
