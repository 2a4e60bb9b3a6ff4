import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { World } from '../world/world.ts';
import { frame, sectionOf } from './parts/frame.ts';
import type { AnyPage, Answered } from './parts/page.ts';
import { Refusal, refuse } from '../refusal/refusal.ts';
import { html } from '../../lib/html/markup.ts';
import { auditPage } from './pages/audit-page.ts';
import { clockPage } from './pages/clock-page.ts';
import { executionPage } from './pages/execution-page.ts';
import { executionsPage } from './pages/executions-page.ts';
import { faultsPage } from './pages/faults-page.ts';
import { ledgerPage } from './pages/ledger-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { requestPage } from './pages/request-page.ts';
import { requestsPage } from './pages/requests-page.ts';
import { streamingPipelinePage } from './pages/streaming-pipeline-page.ts';
import { runnersPage } from './pages/runners-page.ts';
import { streamingPage } from './pages/streaming-page.ts';
import { environmentTablesPage, tablesPage } from './pages/tables-page.ts';
import { versionPage } from './pages/version-page.ts';
import { versionsPage } from './pages/versions-page.ts';
import { reasonsOf } from './parts/reasons.ts';
import { liveScript } from '../../lib/html/live-script.ts';
import { stylesheet } from './parts/stylesheet.ts';

const pages: readonly AnyPage[] = [
  overviewPage,
  requestsPage,
  requestPage,
  executionsPage,
  executionPage,
  tablesPage,
  environmentTablesPage,
  streamingPage,
  streamingPipelinePage,
  runnersPage,
  versionsPage,
  versionPage,
  auditPage,
  ledgerPage,
  faultsPage,
  clockPage,
];

/** Only our own stylesheet and script are loaded, forms go only to the platform, and no other page may frame it. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The pages at `/_platform`: HTML for a browser, JSON for every other client and on request. */
export function registerInspector(scope: FastifyInstance, world: World): void {
  scope.get('/inspector.css', (_request, reply) =>
    guard(reply).type('text/css; charset=utf-8').header('cache-control', 'max-age=60').send(stylesheet),
  );
  scope.get('/live.js', (_request, reply) =>
    guard(reply)
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'max-age=60')
      .send(liveScript),
  );
  scope.setNotFoundHandler((request) => {
    throw refuse(404, `The route ${request.method} ${pathOf(request)} does not exist.`);
  });
  // A browser gets a refusal as a page, too. Other clients, and faults, get the same answer as everywhere else.
  scope.setErrorHandler(async (error, request, reply) => {
    if (!(error instanceof Refusal) || !wantsHtml(pathOf(request), undefined, request.headers.accept))
      throw error;
    guard(reply);
    return reply
      .code(error.status)
      .headers(error.headers)
      .type('text/html; charset=utf-8')
      .send(frame({ answered: refusedPage(error, request.url), world, url: request.url, isLive: false }));
  });
  for (const page of pages) {
    const answer = (request: FastifyRequest, reply: FastifyReply) => send(page, world, request, reply);
    // The overview is at `/_platform` and at `/_platform/`.
    scope.get(page.path, answer);
    if (page.path !== '/' && !page.path.includes(':')) scope.get(`${page.path}.json`, answer);
  }
}

const parametersSchema = z.record(z.string(), z.unknown());
const named = z.object({ id: z.string().default('') });

async function send(
  page: AnyPage,
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { format, ...query } = parametersSchema.parse(request.query);
  const path = pathOf(request);
  const id = named.parse(request.params).id.replace(/\.json$/, '');
  const answered = await page.answer(world, { url: path, id, query });
  guard(reply);
  if (!wantsHtml(path, format, request.headers.accept))
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answered.data));
  return reply
    .type('text/html; charset=utf-8')
    .send(frame({ answered, world, url: request.url, isLive: answered.isLive }));
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

function refusedPage({ status, body }: Refusal, url: string): Pick<Answered, 'title' | 'show'> {
  const { href, name } = sectionOf(url) ?? { href: '/_platform', name: 'Overview' };
  return {
    title: status === 404 ? 'Not found' : 'Not done',
    show: () =>
      html`${reasonsOf(status, JSON.stringify(body)).map((reason) => html`<p class="empty" role="alert">${reason}</p>`)}
        <p><a href="${href}">${name}</a></p>`,
  };
}

/** `?format=` and the suffix `.json` before what the caller accepts: a browser says `text/html`, tools do not. */
function wantsHtml(path: string, format: unknown, accept = ''): boolean {
  if (format === 'json' || path.endsWith('.json')) return false;
  return format === 'html' || /\btext\/html\b/.test(accept);
}

function guard(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'accept',
  });
}
