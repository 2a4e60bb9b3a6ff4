import type { IncomingMessage } from 'node:http';
import { html, type Markup } from '../../../lib/html/markup.ts';
import type { Logger } from '../../../lib/core/ports.ts';
import { mayAccess } from '../api/may-access.ts';
import type { Access } from '../access.ts';
import { isSameOrigin } from '../is-same-origin.ts';
import { sessionIdOf } from '../session-cookie.ts';
import { isCsrf, type Session } from '../sessions.ts';
import { signIn, signOut } from '../sign-in.ts';
import { BodyTooLarge, readBody } from '../../http/read-body.ts';
import type { Engine } from '../../promotion/engine.ts';
import { actPage } from './acts/act-page.ts';
import { type Act, findAct, mayAct, routeOf } from './acts/acts.ts';
import { doAct } from './acts/do-act.ts';
import { findAsset } from './assets/find-asset.ts';
import { frame, type Framed } from './frame.ts';
import { page, type PageReply, unchanged } from './page-reply.ts';
import { pages } from './pages/pages.ts';
import { closedPage, signInPage } from './pages/sign-in-page.ts';
import type { Visit } from './visit.ts';

/** Answers browsers; undefined for requests that are not for the dashboard. */
export interface Dashboard {
  answer(request: IncomingMessage): Promise<PageReply | undefined>;
  /** `POST /session`: after a wrong token, a browser gets the sign-in page again. */
  signIn(request: IncomingMessage): ReturnType<typeof signIn> | Promise<PageReply>;
  /** `POST /session/end`. */
  signOut(request: IncomingMessage): ReturnType<typeof signOut> | Promise<PageReply>;
  /** The page for an error, by its status. */
  refuse(status: number): PageReply;
}

export interface DashboardContext {
  readonly engine: Engine;
  readonly access: Access;
  readonly logger: Logger;
}

const maxFormBytes = 8_192;

/** Page timeout: commands survive an outage of Redis, but a person does not wait that long. */
const pageTimeoutMs = 8_000;

/** Action timeout: an action may wait up to twenty seconds for the platform, and its result must be shown. */
const actTimeoutMs = 25_000;

export function createDashboard({ engine, access, logger }: DashboardContext): Dashboard {
  const signInReply = (status: number, next: string, wrong?: string): PageReply =>
    page(status, frame({ title: 'Sign in', main: signInPage(next, wrong), live: false }, undefined));

  async function answer(request: IncomingMessage, url: URL): Promise<PageReply | undefined> {
    const address = `${url.pathname}${url.search}`;
    const place = placeOf(url.pathname);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (place === undefined) return isRead ? unknownPage(request, url, address) : undefined;
    if ('page' in place && !isRead) return undefined;
    if (!access.directory.isOpen)
      return page(403, frame({ title: 'Closed', main: closedPage(), live: false }, undefined));
    const session = await sessionOf(request, access);
    if (session === undefined)
      return isFromElsewhere(request) ? reloadPage(address) : signInReply(401, address);
    const { operator, csrf } = session;
    const visit: Visit = { operator, csrf, engine, id: place.id, query: url.searchParams, address };
    const shown =
      'act' in place ? await act(place.act, request, visit, session) : await showPage(place.page, visit);
    return shown.headers['etag'] === request.headers['if-none-match'] && shown.status === 200
      ? unchanged(shown)
      : shown;
  }

  /** The page for an unknown address: links a signed-in reader back to the lanes. */
  async function unknownPage(request: IncomingMessage, url: URL, address: string): Promise<PageReply> {
    const session = access.directory.isOpen ? await sessionOf(request, access) : undefined;
    if (session === undefined) return page(404, frame(notFoundPage, undefined));
    const { operator, csrf } = session;
    return notFound({ operator, csrf, engine, id: '', query: url.searchParams, address });
  }

  async function showPage(one: (typeof pages)[number], visit: Visit): Promise<PageReply> {
    if (!(await mayAccess(one.about, visit.id, visit.operator, engine))) return notFound(visit);
    const shown = await one.show(visit);
    return shown === undefined ? notFound(visit) : page(200, frame({ ...shown, live: true }, visit));
  }

  async function act(
    wanted: Act,
    request: IncomingMessage,
    visit: Visit,
    session: Session,
  ): Promise<PageReply> {
    const inFrame = (main: Markup): Markup => frame({ title: wanted.label, main, live: false }, visit);
    if (!mayAct(visit.operator, wanted)) {
      const need = routeOf(wanted)?.role ?? 'admin';
      const { name } = visit.operator;
      return page(
        403,
        inFrame(
          html`<h1>Not allowed</h1>
            <p>${name} lacks the role ${need}.</p>`,
        ),
      );
    }
    const about = routeOf(wanted)?.about ?? 'all';
    if (!(await mayAccess(about, visit.id, visit.operator, engine))) return notFound(visit);
    if (request.method !== 'POST') return page(200, inFrame(await actPage(wanted, visit)));
    const form = new URLSearchParams((await readBody(request, maxFormBytes)).toString('utf8'));
    // Checks both: what the browser says about the origin, and the token that only our own form has.
    if (!isSameOrigin(request) || !isCsrf(session, form.get('csrf') ?? '')) {
      const main = html`<h1>Not done</h1>
        <p>The form is not from this page, or it has expired. Open the page again.</p>`;
      return page(403, inFrame(main));
    }
    return doAct(wanted, form, visit, inFrame);
  }

  return {
    async answer(request) {
      const url = new URL(request.url ?? '/', 'http://worker');
      const asset =
        request.method === 'GET' || request.method === 'HEAD' ? findAsset(url.pathname) : undefined;
      if (asset !== undefined) return asset;
      try {
        return await within(request.method === 'POST' ? actTimeoutMs : pageTimeoutMs, answer(request, url));
      } catch (error) {
        if (error instanceof BodyTooLarge) return refuse(413);
        logger.warn('A page could not be rendered.', { error: String(error) });
        return refuse(503);
      }
    },
    async signIn(request) {
      const reply = await within(pageTimeoutMs, signIn(request, access)).catch(unavailableReply);
      if (reply.status === 303 || !/\btext\/html\b/.test(request.headers.accept ?? '')) return reply;
      if (reply.status === 401)
        return signInReply(401, '/', 'Invalid token. Check that you copied all of it.');
      if (reply.status === 403)
        return signInReply(403, '/', 'The form came from another site. Sign in here.');
      return refuse(reply.status);
    },
    signOut: (request) => within(pageTimeoutMs, signOut(request, access)).catch(unavailableReply),
    refuse,
  };

  /** The reply when the records cannot be read; the log has the reason. */
  function unavailableReply(error: unknown): Awaited<ReturnType<typeof signIn>> {
    if (error instanceof BodyTooLarge) throw error;
    logger.warn('Opening or ending a session failed.', { error: String(error) });
    return { status: 503, body: { error: 'the records cannot be read now', status: 503 } };
  }

  /** The page or the action of an address. */
  function placeOf(
    pathname: string,
  ):
    | ({ readonly id: string } & ({ readonly page: (typeof pages)[number] } | { readonly act: Act }))
    | undefined {
    const parts = pathname.slice(1).split('/').map(decode);
    const [kind = '', id = '', name] = parts;
    if (parts.includes(undefined) || parts.length > 3) return undefined;
    if (name !== undefined) {
      const found = findAct(kind, name);
      return found && { id, act: found };
    }
    const found = pages.find(({ path }) => path === (parts.length === 2 ? `${kind}/*` : kind));
    return found && { id, page: found };
  }
}

async function sessionOf(request: IncomingMessage, { sessions }: Access): Promise<Session | undefined> {
  const id = sessionIdOf(request);
  return id === undefined ? undefined : sessions.find(id);
}

/** A link on another site: browsers withhold a strict cookie there, even from a signed-in reader. */
function isFromElsewhere({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers['sec-fetch-site'] === 'cross-site';
}

/** Loads the same page again from our own page: then the browser sends the cookie. */
function reloadPage(address: string): PageReply {
  const main = html`<p class="empty"><a href="${address}">Continue</a></p>`;
  const again = frame({ title: 'Continue', main, live: false }, undefined);
  const reply = page(200, again);
  return { ...reply, headers: { ...reply.headers, refresh: `0;url=${address}` } };
}

const notFoundPage: Framed = {
  title: 'Not found',
  main: html`<h1>Not found</h1>
    <p>This page does not exist. <a href="/">All lanes</a></p>`,
  live: false,
};

function notFound(visit: Visit): PageReply {
  const main = html`<h1>Not found</h1>
    <p>Not found, or you do not have access. <a href="/">All lanes</a></p>`;
  return page(404, frame({ title: 'Not found', main, live: false }, visit));
}

const refusals: ReadonlyMap<number, string> = new Map([
  [400, 'The address of this page is not valid.'],
  [403, 'The form came from another site. Open the page again and use the form there.'],
  [413, 'The form is too long.'],
  [500, 'Internal error of the worker. Its log has the details.'],
  [503, 'The worker cannot read its records now. It continues by itself once Redis answers.'],
]);

/** The page for an error, by its status; other statuses get the "not found" page. */
function refuse(status: number): PageReply {
  const words = refusals.get(status);
  if (words === undefined) return page(status, frame(notFoundPage, undefined));
  const title = status < 500 ? 'Not done' : 'Not now';
  const main = html`<h1>${title}</h1>
    <p class="problem" role="alert">${words}</p>
    <p><a href="/">All lanes</a></p>`;
  return page(status, frame({ title, main, live: false }, undefined));
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
