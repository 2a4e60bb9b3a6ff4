import type { Policy } from '../../promotion/context/ports.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import type { Access } from '../sign-in/access.ts';
import { goTo, page, sendPage } from './parts/page-reply.ts';
import { frame } from './pages/frame.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { formOf } from './parts/form.ts';
import { registerGitHubSignIn } from './github-routes.ts';
import { ownPlace } from './parts/own-place.ts';
import { isSameOrigin } from '../../../lib/http/is-same-origin.ts';
import { isForBrowser, refuse, statusOf } from './refuse.ts';
import { sessionIdOf, setSessionCookie } from '../sign-in/session-cookie.ts';
import { within } from '../http/within.ts';

const limits = { bodyLimit: 4_096 };

export interface SignInContext {
  readonly access: Access;
  readonly ports: Pick<Policy, 'settings'>;
  readonly logger: Logger;
}

/** Registers the routes that begin and end the session of a browser. */
export function registerSignIn(scope: FastifyInstance, { access, ports, logger }: SignInContext): void {
  const { sessions } = access;
  const { pageWithinMs } = ports.settings;
  scope.setErrorHandler((error, request, reply) => {
    const status = statusOf(error) ?? 503;
    if (status === 503) logger.warn('Opening or ending a session failed.', { error: String(error) });
    return refuse(request, reply, status);
  });

  registerGitHubSignIn(scope, { access, withinMs: ports.settings.actionWithinMs });

  // A form's `token` opens a session; `next` is the page to go to.
  scope.post('/session', limits, async (request, reply) => {
    // Otherwise another site could sign a person in under another name.
    if (!isSameOrigin(request)) return refuseSignIn(request, reply, access, fromElsewhere);
    const { token = '', next = '' } = formOf(request);
    const id = await within(pageWithinMs, sessions.open(token.trim()));
    if (id === undefined) return refuseSignIn(request, reply, access, { ...invalidToken, next });
    setSessionCookie(id, request, reply);
    return sendPage(reply, goTo(ownPlace(next)));
  });

  scope.post('/session/end', limits, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, fromElsewhere.status, fromElsewhere.error);
    const id = sessionIdOf(request);
    if (id !== undefined) await within(pageWithinMs, sessions.close(id));
    setSessionCookie('', request, reply);
    return sendPage(reply, goTo('/'));
  });
}

const fromElsewhere = {
  status: 403,
  error: 'the form is from another site',
  text: 'The form came from another site. Sign in here.',
};

const invalidToken = {
  status: 401,
  error: 'invalid token',
  text: 'Invalid token. Check that you copied all of it.',
};

/** A browser gets the sign-in page again. */
function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  { status, error, text, next = '/' }: typeof invalidToken & { readonly next?: string },
): FastifyReply {
  if (!isForBrowser(request)) return refuse(request, reply, status, error);
  const main = signInPage({ next: ownPlace(next), wrong: text, access });
  return sendPage(reply, page(status, frame({ title: 'Sign in', main, live: false }, undefined)));
}
