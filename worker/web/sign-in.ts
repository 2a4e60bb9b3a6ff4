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

/** `POST /session` with a form's `token`: opens a session, and sends the browser to `next`, else to the first page. */
export async function signIn(request: IncomingMessage, { sessions }: Access): Promise<Reply> {
  // Or another site could sign somebody in under a name that is not theirs.
  if (!isSameOrigin(request)) return refused(403, 'a form of another site');
  const form = new URLSearchParams((await readBody(request, maxBytes)).toString('utf8'));
  const id = await sessions.open(form.get('token')?.trim() ?? '');
  if (id === undefined) return refused(401, 'the token is nobody’s');
  const location = ownPlace(form.get('next') ?? '');
  return { status: 303, body: {}, headers: { location, 'set-cookie': sessionCookie(id, request) } };
}

/** A page of ours, whatever a link brought along: no other host, and nothing that browsers read as one. */
export function ownPlace(place: string): string {
  return /^\/(?:[\w.~%-][\w.~%/-]*)?(?:\?[\w.~%&=-]*)?$/.test(place) ? place : '/';
}

/** `POST /session/end`: ends the browser's session. */
export async function signOut(request: IncomingMessage, { sessions }: Access): Promise<Reply> {
  if (!isSameOrigin(request)) return refused(403, 'a form of another site');
  const id = sessionIdOf(request);
  if (id !== undefined) await sessions.close(id);
  return { status: 303, body: {}, headers: { location: '/', 'set-cookie': sessionCookie('', request) } };
}

const refused = (status: number, error: string): Reply => ({ status, body: { error, status } });
