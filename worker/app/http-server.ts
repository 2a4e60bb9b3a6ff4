import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Redis } from 'ioredis';
import type { Logger } from '../../lib/core/ports.ts';
import { answerApi } from '../web/api/operator-api.ts';
import type { Dashboard } from '../web/dashboard/dashboard.ts';
import { liveness, readiness } from '../web/answer-health.ts';
import type { Canaries } from '../store/canaries.ts';
import { showMetrics } from '../web/show-metrics.ts';
import type { Access } from '../web/access.ts';
import { viaHeader } from '../records/audit-entry.ts';
import { BodyTooLarge, readBody } from '../http/read-body.ts';
import type { WebhookAnswer } from '../records/webhook-answer.ts';
import type { Engine } from '../promotion/engine.ts';

export interface HttpOptions {
  readonly receive: (request: IncomingMessage) => Promise<WebhookAnswer>;
  readonly engine: Engine;
  /** For the round trip of `/readyz`. */
  readonly redis: Redis;
  /** Who may use `/api/`; where it knows nobody that part is closed. */
  readonly access: Access;
  readonly canaries: Canaries;
  /** Answers browsers. */
  readonly dashboard: Dashboard;
  readonly logger: Logger;
  /** True once the worker stops: whoever balances load sends nothing more. */
  readonly isStopping: () => boolean;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** In place of a body, with a content type among the headers. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const maxApiBytes = 64 * 1024;

// Time limits are looked at so often: with Node's own thirty seconds ten become forty.
const serverSettings = { maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 1_000 };

const nothingHere: Reply = { status: 404, body: { error: 'no such page', status: 404 } };

const refused = (error: string): Reply => ({ status: 400, body: { error, status: 400 } });

const unauthorized: Reply = {
  status: 401,
  body: { error: 'unauthorized', status: 401 },
  headers: { 'www-authenticate': 'Bearer' },
};

/** The worker's HTTP side: webhooks, health, the operators' API, their sessions and the dashboard. */
export function createHttpServer(options: HttpOptions): Server {
  const server = createServer(serverSettings, (request, response) => {
    route(request, options)
      .catch((error: unknown): Reply => {
        if (error instanceof BodyTooLarge) return { status: 413, body: { error: 'too much', status: 413 } };
        options.logger.error('A request broke off.', { error: String(error) });
        return { status: 500, body: { error: 'internal', status: 500 } };
      })
      .then((reply) => send(request, response, forReader(request, reply, options)))
      .catch((error: unknown) =>
        options.logger.debug('An answer could not be sent.', { error: String(error) }),
      );
  });
  // Somebody who sends a byte a second must not keep a connection for ever.
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 5_000;
  server.maxConnections = 2_000;
  return server;
}

const webhookPath = '/webhooks/github';

/** What programs ask: they read JSON, whatever they say that they accept. */
const programPaths = /^\/(?:api|webhooks|livez|readyz|metrics)(?:[/?]|$)/;

/** An error as its reader expects it: a page for a browser, wherever the error came from. */
function forReader(request: IncomingMessage, reply: Reply, { dashboard }: HttpOptions): Reply {
  const isError = reply.status >= 400 && reply.text === undefined;
  const isBrowser = /\btext\/html\b/.test(request.headers.accept ?? '');
  if (!isError || !isBrowser || programPaths.test(request.url ?? '')) return reply;
  return dashboard.refuse(reply.status);
}

async function route(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  // Nearly all that comes, and it comes in waves: no address is taken apart for it.
  if (request.url === webhookPath) return webhook(request, options);
  const address = request.url ?? '/';
  if (!URL.canParse(address, 'http://worker')) return refused('the address is none');
  const { pathname, searchParams } = new URL(address, 'http://worker');
  if (pathname === webhookPath) return webhook(request, options);
  if (pathname === '/livez') return liveness(options.canaries);
  if (pathname === '/readyz') return readiness(options.redis, options.engine, options.isStopping());
  if (pathname === '/metrics') return metrics(request, options);
  if (pathname === '/session' && request.method === 'POST') return options.dashboard.signIn(request);
  if (pathname === '/session/end' && request.method === 'POST') return options.dashboard.signOut(request);
  if (pathname.startsWith('/api/'))
    return api(request, pathname.slice('/api/'.length), searchParams, options);
  // What programs ask, they read as JSON; all else is for people.
  if (/^\/(?:api|webhooks)(?:\/|$)/.test(pathname)) return nothingHere;
  const page = await options.dashboard.answer(request);
  return page ?? nothingHere;
}

async function webhook(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  if (options.isStopping())
    return { status: 503, body: { error: 'stopping' }, headers: { 'retry-after': '5' } };
  const { status, result, why, headers = {}, subject } = await options.receive(request);
  options.engine.metrics.deliveries.inc({ result });
  options.engine.deliveries.answered(request.headers, { status, result, why, subject });
  options.logger.info('A delivery was answered.', {
    delivery_id: request.headers['x-github-delivery'],
    event: request.headers['x-github-event'],
    status,
    result,
    why,
  });
  return { status, body: { result, why }, headers };
}

/** For whoever collects them; an operator of any role, with a token of its own. */
async function metrics(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  const { access, engine, canaries } = options;
  if ((await access.identify(request)) === undefined) return unauthorized;
  const text = await showMetrics(engine, canaries);
  return {
    status: 200,
    body: undefined,
    text,
    headers: { 'content-type': engine.metrics.registry.contentType },
  };
}

async function api(
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  { access, engine }: HttpOptions,
): Promise<Reply> {
  if (!access.directory.isOpen) {
    return {
      status: 403,
      body: {
        error: 'the worker was started without MILLRACE_WORKER_TOKEN and without operators',
        status: 403,
      },
    };
  }
  const operator = await access.identify(request);
  if (operator === undefined) return unauthorized;
  const method = request.method ?? 'GET';
  const read = method === 'POST' ? await readJson(request) : { body: undefined };
  if (read === undefined) return refused('the body is no JSON');
  const isDisconnected = (): boolean => !request.socket.writable;
  const via = request.headers[viaHeader.name] === viaHeader.commandLine ? 'command-line' : 'api';
  return answerApi({ method, path, query, via, isDisconnected, ...read }, operator, engine);
}

/** Undefined where it is none; nothing at all is a body, too. */
async function readJson(request: IncomingMessage): Promise<{ readonly body: unknown } | undefined> {
  const text = (await readBody(request, maxApiBytes)).toString('utf8');
  try {
    return { body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, text = JSON.stringify(body), headers = {} }: Reply,
): void {
  const unread = !request.complete;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    // What was not read cannot be told from the next request.
    ...(unread ? { connection: 'close' } : {}),
  });
  if (!unread) return void response.end(text);
  response.end(text, () => {
    // Read a moment longer and throw it away: a connection cut at once takes the answer with it.
    request.resume();
    setTimeout(() => request.socket.destroy(), 500).unref();
  });
}
