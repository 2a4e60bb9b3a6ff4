import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/read-body.ts';
import type { Access } from './access.ts';
import { isSameOrigin } from './is-same-origin.ts';
import { sessionCookie, sessionIdOf } from './session-cookie.ts';

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const maxBytes = 4_096;

/**
 * `POST /session` with a form's `token`: opens a session and redirects the browser to `next`, else to the first
 * page.
 */
export async function signIn(request: IncomingMessage, { sessions }: Access): Promise<Reply> {
  // Otherwise another site could sign a person in under another name.
  if (!isSameOrigin(request)) return refused(403, 'the form is from another site');
  const form = new URLSearchParams((await readBody(request, maxBytes)).toString('utf8'));
  const id = await sessions.open(form.get('token')?.trim() ?? '');
  if (id === undefined) return refused(401, 'invalid token');
  const location = ownPlace(form.get('next') ?? '');
  return { status: 303, body: {}, headers: { location, 'set-cookie': sessionCookie(id, request) } };
}

/** A page of our own, whatever a link contains: no other host, and no path that browsers read as one. */
export function ownPlace(place: string): string {
  return /^\/(?:[\w.~%-][\w.~%/-]*)?(?:\?[\w.~%&=-]*)?$/.test(place) ? place : '/';
}

/** `POST /session/end`: ends the browser's session. */
export async function signOut(request: IncomingMessage, { sessions }: Access): Promise<Reply> {
  if (!isSameOrigin(request)) return refused(403, 'the form is from another site');
  const id = sessionIdOf(request);
  if (id !== undefined) await sessions.close(id);
  return { status: 303, body: {}, headers: { location: '/', 'set-cookie': sessionCookie('', request) } };
}

const refused = (status: number, error: string): Reply => ({ status, body: { error, status } });
