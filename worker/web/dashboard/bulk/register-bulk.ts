import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Markup } from '../../../../lib/html/markup.ts';
import { answerRoute } from '../../api/answer-route.ts';
import type { ApiAnswer } from '../../api/operations/answers.ts';
import type { BulkPreview, BulkResult } from '../../api/operations/bulk.ts';
import { type BulkAction, bulkActions } from '../../api/operations/bulk-filter.ts';
import { type Route, routes } from '../../api/routes.ts';
import { isSameOrigin } from '../../../../lib/http/is-same-origin.ts';
import { viaOf } from '../../http/via-of.ts';
import { isCsrf } from '../../sign-in/sessions.ts';
import { formOf } from '../parts/form.ts';
import { frame } from '../pages/frame.ts';
import { page, type PageReply, sendPage } from '../parts/page-reply.ts';
import type { Visit } from '../parts/visit.ts';
import { within } from '../../http/within.ts';
import { bulkPage, bulkResultPage, bulkTitle } from './bulk-page.ts';

const maxFormBytes = 8_192;

export interface BulkContext {
  readonly visitOf: (request: FastifyRequest, reply?: FastifyReply) => Visit;
  readonly pageWithinMs: number;
  readonly actionWithinMs: number;
}

/** The pages of the bulk actions: filter, preview, confirmation and result. */
export function registerBulk(
  scope: FastifyInstance,
  { visitOf, pageWithinMs, actionWithinMs }: BulkContext,
): void {
  for (const action of bulkActions) {
    const path = `/bulk/${action}`;
    scope.get(path, async (request, reply) =>
      sendPage(reply, await within(pageWithinMs, showPreview(action, visitOf(request)))),
    );
    scope.post(path, { bodyLimit: maxFormBytes }, async (request, reply) =>
      sendPage(reply, await within(actionWithinMs, perform(action, request, visitOf(request, reply)))),
    );
  }
}

async function showPreview(action: BulkAction, visit: Visit): Promise<PageReply> {
  // A form sends its empty fields, too.
  const query = new URLSearchParams([...visit.query].filter(([, value]) => value !== ''));
  const { status, body } = await call(action, 'GET', visit, query, undefined);
  const preview = status === 200 ? (body as BulkPreview) : errorIn(body);
  return show(status, action, visit, bulkPage(action, visit, preview));
}

async function perform(action: BulkAction, request: FastifyRequest, visit: Visit): Promise<PageReply> {
  const { csrf = '', happened, ...fields } = formOf(request);
  if (!isSameOrigin(request) || !isCsrf(visit, csrf)) {
    const expired = 'Not done: the form is not from this page, or it has expired. Preview again.';
    return show(403, action, visit, bulkPage(action, visit, expired));
  }
  const form = { ...fields, ...(happened === undefined ? {} : { happened: happened === 'yes' }) };
  const { status, body } = await call(action, 'POST', visit, new URLSearchParams(), form);
  if (status !== 200)
    return show(status, action, visit, bulkPage(action, visit, `Not done: ${errorIn(body)}.`));
  return show(200, action, visit, bulkResultPage(action, body as BulkResult));
}

async function call(
  action: BulkAction,
  method: Route['method'],
  { operator, ports, isDisconnected }: Visit,
  query: URLSearchParams,
  body: unknown,
): Promise<ApiAnswer> {
  const route = routes.find(
    (candidate) => candidate.method === method && candidate.path === `/bulk/${action}`,
  );
  if (route === undefined) throw new Error(`the API has no route /bulk/${action}`);
  const via = viaOf(operator, 'dashboard');
  return answerRoute(route, { operator, ports, id: '', query, body, via, isDisconnected });
}

/** Not refreshed by the script: a preview must stay what the person sees. */
function show(status: number, action: BulkAction, visit: Visit, main: Markup): PageReply {
  return page(status, frame({ title: bulkTitle(action), main, live: false }, visit));
}

function errorIn(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'refused';
}
