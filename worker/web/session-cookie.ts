import type { IncomingMessage } from 'node:http';
import { sessionSeconds } from './sessions.ts';

const name = 'millrace_session';

/** The id of the session in a request's cookies. */
export function sessionIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=');
    if (key === name && /^[\w-]{43}$/.test(value)) return value;
  }
  return undefined;
}

/**
 * The header that sets the cookie; '' as id removes it. Scripts cannot read it, and other sites cannot send it.
 * `Secure` if the browser uses TLS to the proxy in front of the worker.
 */
export function sessionCookie(id: string, { headers }: Pick<IncomingMessage, 'headers'>): string {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  const age = id === '' ? 0 : sessionSeconds;
  return `${name}=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`;
}
