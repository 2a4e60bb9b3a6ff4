import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callbackPath } from '../../records/callback-path.ts';
import type { Access } from '../sign-in/access.ts';
import type { GitHubSignIn } from '../sign-in/github-sign-in.ts';
import { isSameOrigin } from '../../../lib/http/is-same-origin.ts';
import { setSessionCookie } from '../sign-in/session-cookie.ts';
import { attemptSeconds } from '../sign-in/sign-in-attempt.ts';
import { continuePage } from './continue-page.ts';
import { formOf } from './parts/form.ts';
import { frame } from './pages/frame.ts';
import { ownPlace } from './parts/own-place.ts';
import { page, type PageReply, sendPage } from './parts/page-reply.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { refuse, refuseUnknown } from './refuse.ts';
import { within } from '../http/within.ts';

interface GitHubRoutesContext {
  readonly access: Access;
  readonly withinMs: number;
}

const answerSchema = z.object({
  state: z.string().max(100),
  code: z.string().min(1).max(200).optional(),
  error: z
    .string()
    .regex(/^\w{1,60}$/)
    .optional(),
});

/**
 * Registers the routes of sign-in with GitHub: the button that sends a browser to GitHub, and the address to which
 * GitHub sends it back.
 */
export function registerGitHubSignIn(
  scope: FastifyInstance,
  { access, withinMs }: GitHubRoutesContext,
): void {
  scope.post('/session/github', { bodyLimit: 4_096 }, async (request, reply) => {
    const signIn = access.signIn();
    if (signIn === undefined) return refuseUnknown(request, reply);
    // Otherwise another site could begin sign-ins.
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'the form is from another site');
    const { cookie, address } = signIn.begin(ownPlace(formOf(request)['next'] ?? ''));
    setAttemptCookie(cookie, signIn, reply);
    // Not a redirect: browsers apply `form-action` to redirects, and organizations have sign-in pages of their own.
    return sendPage(reply, continuePage(address));
  });

  scope.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const signIn = access.signIn();
    if (signIn === undefined) return refuseUnknown(request, reply);
    const cookie = request.cookies[attemptCookie(signIn)];
    setAttemptCookie('', signIn, reply);
    const result = await within(withinMs, signIn.end(cookie, answerOf(request)));
    if (result.status === 'refused')
      return sendPage(reply, withoutReferrer(refusedPage(result.httpStatus, result.message, access)));
    setSessionCookie(result.session, request, reply, signIn.isSecure);
    // Not a redirect: after one, browsers withhold the strict cookie from a visit that began on another site.
    return sendPage(reply, withoutReferrer(continuePage(ownPlace(result.next))));
  });
}

function answerOf({ query }: FastifyRequest): z.infer<typeof answerSchema> | undefined {
  return answerSchema.safeParse(query).data;
}

/** With the prefix, browsers accept the cookie from this host only, and no other subdomain can set it. */
function attemptCookie({ isSecure }: GitHubSignIn): string {
  return isSecure ? '__Host-millrace_sign_in' : 'millrace_sign_in';
}

/** '' removes it. Lax: GitHub's own page leads to the address that reads it. */
function setAttemptCookie(content: string, signIn: GitHubSignIn, reply: FastifyReply): void {
  void reply.setCookie(attemptCookie(signIn), content, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: signIn.isSecure,
    maxAge: content === '' ? 0 : attemptSeconds,
  });
}

function refusedPage(status: number, message: string, access: Access): PageReply {
  const main = signInPage({ next: '/', wrong: message, access });
  return page(status, frame({ title: 'Sign in', main, live: false }, undefined));
}

/** The address of this page contains GitHub's code. */
function withoutReferrer(reply: PageReply): PageReply {
  return { ...reply, headers: { ...reply.headers, 'referrer-policy': 'no-referrer' } };
}
