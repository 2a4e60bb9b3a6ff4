import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { registerControl } from '../control/register-control.ts';
import { Refusal, badRequest, refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import { registerFaultHooks } from './fault-hooks.ts';
import { registerOperations } from './register-operations.ts';
import { registerTokenEndpoint } from './token-endpoint.ts';
import { openApiOf } from '../../lib/contract/openapi.ts';
import { operations } from '../../lib/contract/operations.ts';
import { keepBody } from '../world/exchange.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { drain } from './drain.ts';

/** Creates the HTTP server for a world; it does not listen yet. */
export async function createServer(
  world: World,
  checkAnswers: boolean,
  host: string,
): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: world.limits.jsonBytes,
    genReqId: () => world.ids.requestId(),
    // Idle keep-alive connections must not delay the shutdown.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024 },
    // A slow client only occupies a socket. An upload of a gigabyte may take long.
    connectionTimeout: 0,
    requestTimeout: 0,
    exposeHeadRoutes: false,
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  registerHostCheck(server, host);
  registerFaultHooks(server, world);
  server.setErrorHandler(answerError(world.logger));
  server.setNotFoundHandler((request) => {
    throw refuse(404, `The route ${request.method} ${request.url.split('?', 1)[0] ?? ''} does not exist.`);
  });
  readBodies(server);
  registerControl(server, world);
  registerOpenApi(server);
  registerTokenEndpoint(server, world);
  await registerOperations(server, world, checkAnswers);
  return server;
}

/** Serves the contract as OpenAPI for tools, without a token. */
function registerOpenApi(server: FastifyInstance): void {
  server.get('/_platform/openapi.json', (request) => ({
    ...openApiOf(operations, 'v1'),
    servers: [{ url: `${request.protocol}://${request.host}` }],
  }));
}

/** Parses JSON like the framework, and stores the text for the inspector, even if it is not valid JSON. */
function readBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (request.watched !== undefined) request.watched.exchange.body = keepBody(text);
    return parse(request, text, done);
  });
}

/** Turns any thrown value into an answer of §7. No answer contains a stack trace or a path of this machine. */
function answerError(logger: Logger) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = error instanceof Refusal ? error : toRefusal(error, request, logger);
    const whole = await drain(request.raw);
    if (!whole) void reply.header('connection', 'close');
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  };
}

function toRefusal(error: unknown, request: FastifyRequest, logger: Logger): Refusal {
  const instance = request.url.split('?', 1)[0] ?? '';
  const { code, statusCode, message } = factsOf(error);
  if (isFull(error, code))
    return refuse(507, 'The local platform has no disk space left. Nothing was stored.');
  if (statusCode === 413 || statusCode === 415) return refuse(statusCode, message);
  if (statusCode >= 400 && statusCode < 500) return badRequest(instance, [message]);
  logger.error('An operation failed', { requestId: request.id, url: instance, error: String(error), code });
  const text =
    error instanceof Failure ? error.message : 'The local platform failed. See its log for the cause.';
  return new Refusal(500, { error: text, status: 500 });
}

interface Facts {
  readonly code: string;
  readonly statusCode: number;
  readonly message: string;
}

function factsOf(error: unknown): Facts {
  const facts = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    code: text(facts['code']),
    statusCode: typeof facts['statusCode'] === 'number' ? facts['statusCode'] : 0,
    message: text(facts['message']),
  };
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which SQLite reports for other write errors than ENOSPC. */
const databaseFull: ReadonlySet<number> = new Set([13, 778]);

function isFull(error: unknown, code: string): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return noSpace.has(code) || (errcode !== undefined && databaseFull.has(errcode));
}

/**
 * Refuses a request whose Host is not this machine, to prevent DNS rebinding by web pages. A platform that listens
 * on other addresses does not check this, because it cannot know its names.
 */
function registerHostCheck(server: FastifyInstance, bound: string): void {
  if (!isLoopback(bound)) return;
  // Cached, because a client sends the same Host every time.
  let lastAccepted: string | undefined;
  server.addHook('onRequest', (request, _reply, done) => {
    const { host: header = '' } = request.headers;
    if (header === lastAccepted) return done();
    const host = nameIn(header);
    if (isLoopback(host) || host === bound.toLowerCase()) {
      lastAccepted = header;
      return done();
    }
    done(refuse(403, `The Host "${host.slice(0, 200)}" is not this machine; use 127.0.0.1 or localhost.`));
  });
}

/** The name in a Host header, without the port and the brackets of an IPv6 address. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
