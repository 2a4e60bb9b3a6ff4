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
  /** Who may use `/api/`; without operators that part is closed. */
  readonly access: Access;
  readonly canaries: Canaries;
  /** Answers browsers. */
  readonly dashboard: Dashboard;
  readonly logger: Logger;
  /** True once the worker stops: a load balancer must then send nothing more. */
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

// Node checks time limits at this interval. With its default of thirty seconds, a limit of ten would take
// forty.
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
        if (error instanceof BodyTooLarge)
          return { status: 413, body: { error: 'the body is too large', status: 413 } };
        options.logger.error('A request failed.', { error: String(error) });
        return { status: 500, body: { error: 'internal', status: 500 } };
      })
      .then((reply) => send(request, response, forReader(request, reply, options)))
      .catch((error: unknown) =>
        options.logger.debug('A response could not be sent.', { error: String(error) }),
      );
  });
  // A client that sends one byte per second must not keep a connection open for ever.
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 5_000;
  server.maxConnections = 2_000;
  return server;
}

const webhookPath = '/webhooks/github';

/** Paths for programs: the answer is JSON, whatever the `Accept` header says. */
const programPaths = /^\/(?:api|webhooks|livez|readyz|metrics)(?:[/?]|$)/;

/** Renders an error for its reader: a page for a browser, whatever part of the worker produced the error. */
function forReader(request: IncomingMessage, reply: Reply, { dashboard }: HttpOptions): Reply {
  const isError = reply.status >= 400 && reply.text === undefined;
  const isBrowser = /\btext\/html\b/.test(request.headers.accept ?? '');
  if (!isError || !isBrowser || programPaths.test(request.url ?? '')) return reply;
  return dashboard.refuse(reply.status);
}

async function route(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  // Fast path for nearly all requests, which arrive in bursts: it does not parse the URL.
  if (request.url === webhookPath) return webhook(request, options);
  const address = request.url ?? '/';
  if (!URL.canParse(address, 'http://worker')) return refused('the address is not valid');
  const { pathname, searchParams } = new URL(address, 'http://worker');
  if (pathname === webhookPath) return webhook(request, options);
  if (pathname === '/livez') return liveness(options.canaries);
  if (pathname === '/readyz') return readiness(options.redis, options.engine, options.isStopping());
  if (pathname === '/metrics') return metrics(request, options);
  if (pathname === '/session' && request.method === 'POST') return options.dashboard.signIn(request);
  if (pathname === '/session/end' && request.method === 'POST') return options.dashboard.signOut(request);
  if (pathname.startsWith('/api/'))
    return api(request, pathname.slice('/api/'.length), searchParams, options);
  // Programs get JSON; everything else is for people.
  if (/^\/(?:api|webhooks)(?:\/|$)/.test(pathname)) return nothingHere;
  const page = await options.dashboard.answer(request);
  return page ?? nothingHere;
}

async function webhook(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  if (options.isStopping())
    return { status: 503, body: { error: 'stopping' }, headers: { 'retry-after': '5' } };
  const { status, result, reason, headers = {}, subject } = await options.receive(request);
  options.engine.metrics.deliveries.inc({ result });
  options.engine.deliveries.answered(request.headers, { status, result, reason, subject });
  options.logger.info('Delivery answered.', {
    delivery_id: request.headers['x-github-delivery'],
    event: request.headers['x-github-event'],
    status,
    result,
    reason,
  });
  return { status, body: { result, reason }, headers };
}

/** Metrics for a collector, which authenticates as an operator of any role with its own token. */
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
        error: 'the worker has no operators: set MILLRACE_WORKER_TOKEN or list operators in worker.yaml',
        status: 403,
      },
    };
  }
  const operator = await access.identify(request);
  if (operator === undefined) return unauthorized;
  const method = request.method ?? 'GET';
  const read = method === 'POST' ? await readJson(request) : { body: undefined };
  if (read === undefined) return refused('the body is not JSON');
  const isDisconnected = (): boolean => !request.socket.writable;
  const via = request.headers[viaHeader.name] === viaHeader.commandLine ? 'command-line' : 'api';
  return answerApi({ method, path, query, via, isDisconnected, ...read }, operator, engine);
}

/** Parses a JSON body; undefined if it is not JSON. An empty body is valid. */
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
    // The unread rest of the body cannot be told apart from the next request.
    ...(unread ? { connection: 'close' } : {}),
  });
  if (!unread) return void response.end(text);
  response.end(text, () => {
    // Read and discard a little longer: closing the connection at once would also drop the answer.
    request.resume();
    setTimeout(() => request.socket.destroy(), 500).unref();
  });
}
