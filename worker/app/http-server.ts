import { createServer, type RequestListener, type Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { createLimitedLogger } from '../telemetry/limited-logger.ts';
import { refuseUnknown } from '../web/dashboard/refuse.ts';
import { registerWeb, type WebContext } from '../web/register-web.ts';
import {
  createWebhookListener,
  discardRest,
  isUnread,
  isWebhook,
  type WebhookOptions,
} from './webhook-listener.ts';

export interface HttpOptions extends WebContext, Omit<WebhookOptions, 'limitedLogger' | 'ports'> {
  /** Milliseconds in which a request must come whole. */
  readonly requestWithinMs: number;
}

/** The worker's HTTP side: webhooks, health, the operators' API, their sessions and the dashboard. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const limitedLogger = createLimitedLogger(options.logger, options.ports.clock);
  const server = fastify({
    serverFactory: (listener) => createNodeServer(listener, { ...options, limitedLogger }),
    // While it stops, the worker still says that it lives, and each route decides what it answers.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_024 },
    // A percent sign that begins no escape means itself, so that such an address is unknown like any other.
    rewriteUrl: ({ url = '/' }) => url.replaceAll(/%(?![\da-f]{2})/gi, '%25'),
    // The only errors left are addresses whose escapes are not UTF-8.
    frameworkErrors: (_error, request, reply) => void refuseUnknown(request, reply),
  });
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // The next request on this connection should go to another worker.
    if (options.isStopping()) reply.header('connection', 'close');
    if (isUnread(raw)) {
      reply.header('connection', 'close');
      discardRest(raw, reply.raw);
    }
    done();
  });
  registerWeb(server, { ...options, logger: limitedLogger });
  return server;
}

/** The server of Node with webhooks ahead of the framework. */
function createNodeServer(framework: RequestListener, options: HttpOptions & WebhookOptions): Server {
  const webhook = createWebhookListener(options);
  const settings = {
    maxHeaderSize: 16 * 1024,
    // Node checks time limits at this interval. With its default of thirty seconds, a limit of ten would take
    // forty.
    connectionsCheckingInterval: 1_000,
    // A client that sends one byte per second must not keep a connection open for ever.
    headersTimeout: options.requestWithinMs,
    requestTimeout: options.requestWithinMs,
    keepAliveTimeout: 5_000,
  };
  const server = createServer(settings, (request, response) =>
    isWebhook(request) ? webhook(request, response) : framework(request, response),
  );
  server.maxConnections = 2_000;
  return server;
}
