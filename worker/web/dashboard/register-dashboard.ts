import type { ApiPorts } from '../api/operations/api-call.ts';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { html, type Markup } from '../../../lib/html/markup.ts';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { mayAccess } from '../api/may-access.ts';
import { Unavailable } from '../http/send-json.ts';
import type { Access } from '../sign-in/access.ts';
import { formOf } from './parts/form.ts';
import { isSameOrigin } from '../../../lib/http/is-same-origin.ts';
import { isForBrowser, refuse, refuseUnavailable, refuseUnknown, statusOf } from './refuse.ts';
import { sessionIdOf } from '../sign-in/session-cookie.ts';
import { isCsrf, type Session } from '../sign-in/sessions.ts';
import { registerSignIn } from './sign-in.ts';
import { actPage } from './acts/act-page.ts';
import { type Act, acts, mayAct, pathOf, routeOf } from './acts/acts.ts';
import { doAct } from './acts/do-act.ts';
import { registerBulk } from './bulk/register-bulk.ts';
import { assets } from './assets/assets.ts';
import { continuePage } from './continue-page.ts';
import { frame } from './pages/frame.ts';
import { page, type PageReply, sendPage, unchanged } from './parts/page-reply.ts';
import type { Page } from './pages/page.ts';
import { pages } from './pages/pages.ts';
import { closedPage, signInPage } from './pages/sign-in-page.ts';
import type { Visit } from './parts/visit.ts';
import { within } from '../http/within.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, at the pages of the dashboard. */
    session: Session | undefined;
  }
}

export interface DashboardContext {
  readonly ports: ApiPorts;
  readonly access: Access;
  readonly logger: Logger;
}

const maxFormBytes = 8_192;

/**
 * Registers static files, sign-in, the page for unknown addresses and, for signed-in readers, the pages and
 * actions.
 */
export async function registerDashboard(scope: FastifyInstance, context: DashboardContext): Promise<void> {
  const { ports, logger } = context;
  const { pageWithinMs, actionWithinMs } = ports.settings;
  await scope.register(formbody);
  for (const [path, asset] of assets) scope.get(path, (_request, reply) => sendPage(reply, asset));
  scope.setNotFoundHandler(async (request, reply) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && isForBrowser(request);
    const session = isPage ? await sessionOf(request, context).catch(() => undefined) : undefined;
    if (session === undefined) return refuseUnknown(request, reply);
    return sendPage(reply, notFound({ ...session, ports, id: '', ...placeOf(request) }));
  });
  scope.register(async (signIn) => registerSignIn(signIn, context));
  scope.register(async (signedIn) => {
    requireSession(signedIn, context);
    signedIn.setErrorHandler((error, request, reply) => {
      if (error instanceof Unavailable) return refuseUnavailable(request, reply, error);
      const status = statusOf(error) ?? 503;
      if (status === 503) logger.warn('A page could not be rendered.', { error: String(error) });
      return refuse(request, reply, status);
    });
    for (const dashboardPage of pages) {
      signedIn.get(dashboardPage.path, async (request, reply) => {
        const shown = await within(pageWithinMs, showPage(dashboardPage, visitOf(request, ports)));
        return sendFresh(request, reply, shown);
      });
    }
    const visits = (request: FastifyRequest, reply?: FastifyReply): Visit => visitOf(request, ports, reply);
    registerBulk(signedIn, { visitOf: visits, pageWithinMs, actionWithinMs });
    for (const act of acts) {
      const path = pathOf(act);
      signedIn.get(path, async (request, reply) => {
        const shown = await within(pageWithinMs, askAct(act, visitOf(request, ports)));
        return sendFresh(request, reply, shown);
      });
      signedIn.post(path, { bodyLimit: maxFormBytes }, async (request, reply) => {
        const performed = performAct(act, request, visitOf(request, ports, reply));
        return sendPage(reply, await within(actionWithinMs, performed));
      });
    }
  });
}

/** Shows the sign-in page to readers without a session. */
function requireSession(scope: FastifyInstance, context: DashboardContext): void {
  scope.decorateRequest('session');
  scope.addHook('onRequest', async (request, reply) => {
    if (!context.access.isOpen())
      return sendPage(
        reply,
        page(403, frame({ title: 'Closed', main: closedPage(), live: false }, undefined)),
      );
    request.session = await sessionOf(request, context);
    if (request.session !== undefined) return;
    if (isFromElsewhere(request)) return sendPage(reply, continuePage(request.url));
    const main = signInPage({ next: request.url, access: context.access });
    return sendPage(reply, page(401, frame({ title: 'Sign in', main, live: false }, undefined)));
  });
}

async function sessionOf(
  request: FastifyRequest,
  { access, ports }: DashboardContext,
): Promise<Session | undefined> {
  const id = sessionIdOf(request);
  if (id === undefined || !access.isOpen()) return undefined;
  return within(ports.settings.pageWithinMs, access.sessions.find(id));
}

const params = z.object({ id: z.string().default('') });

/** `reply`: of an action, which must not begin once the person was answered that it took too long. */
function visitOf(request: FastifyRequest, ports: ApiPorts, reply?: FastifyReply): Visit {
  const { session, raw } = request;
  if (session === undefined) throw new Error('the request has no session');
  const isDisconnected = (): boolean => reply?.sent === true || raw.socket.destroyed;
  return { ...session, ports, id: params.parse(request.params).id, ...placeOf(request), isDisconnected };
}

function placeOf({ url }: FastifyRequest): Pick<Visit, 'address' | 'query'> {
  const { pathname, search, searchParams: query } = new URL(url, 'http://worker');
  return { address: `${pathname}${search}`, query };
}

/** Sends a page, or 304 if the browser has it. */
function sendFresh({ headers }: FastifyRequest, reply: FastifyReply, shown: PageReply): FastifyReply {
  const isKnown = shown.status === 200 && shown.headers['etag'] === headers['if-none-match'];
  return sendPage(reply, isKnown ? unchanged(shown) : shown);
}

async function showPage({ about, show }: Page, visit: Visit): Promise<PageReply> {
  if (!(await mayAccess(about, visit.id, visit.operator, visit.ports))) return notFound(visit);
  const shown = await show(visit);
  return shown === undefined ? notFound(visit) : page(200, frame({ ...shown, live: true }, visit));
}

/** The page that asks before an action. */
async function askAct(act: Act, visit: Visit): Promise<PageReply> {
  const refusal = await refuseAct(act, visit);
  if (refusal !== undefined) return refusal;
  const main = await actPage(act, visit);
  return main === undefined ? notFound(visit) : page(200, framed(act, main, visit));
}

async function performAct(act: Act, request: FastifyRequest, visit: Visit): Promise<PageReply> {
  const refusal = await refuseAct(act, visit);
  if (refusal !== undefined) return refusal;
  const form = formOf(request);
  // Checks both: what the browser says about the origin, and the token that only our own form has.
  if (!isSameOrigin(request) || !isCsrf(visit, form['csrf'] ?? '')) {
    const main = html`<h1>Not done</h1>
      <p>The form is not from this page, or it has expired. Open the page again.</p>`;
    return page(403, framed(act, main, visit));
  }
  return (await doAct(act, form, visit, (main) => framed(act, main, visit))) ?? notFound(visit);
}

async function refuseAct(act: Act, visit: Visit): Promise<PageReply | undefined> {
  const { operator, ports, id } = visit;
  const { role, about } = routeOf(act);
  if (!mayAct(operator, act)) {
    const main = html`<h1>Not allowed</h1>
      <p>${operator.name} lacks the role ${role}.</p>`;
    return page(403, framed(act, main, visit));
  }
  return (await mayAccess(about, id, operator, ports)) ? undefined : notFound(visit);
}

const framed = ({ label }: Act, main: Markup, visit: Visit): Markup =>
  frame({ title: label, main, live: false }, visit);

/** A link on another site: browsers withhold a strict cookie there, even from a signed-in reader. */
function isFromElsewhere({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-site'] === 'cross-site';
}

/** The page for a subject that does not exist, or that the reader may not access. */
function notFound(visit: Visit): PageReply {
  const main = html`<h1>Not found</h1>
    <p>Not found, or you do not have access. <a href="/">All lanes</a></p>`;
  return page(404, frame({ title: 'Not found', main, live: false }, visit));
}
