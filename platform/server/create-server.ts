import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { registerControl } from '../control/register-control.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import { answerError } from './answer-error.ts';
import { registerFaultHooks } from './fault-hooks.ts';
import { registerHostCheck } from './host-check.ts';
import { registerOperations } from './register-operations.ts';
import { registerTokenEndpoint } from './token-endpoint.ts';
import { openApiOf } from '../../lib/contract/openapi.ts';
import { operations } from '../../lib/contract/operations.ts';
import { keepBody } from '../world/exchange.ts';

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
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  registerHostCheck(server, host);
  registerFaultHooks(server, world);
  server.setErrorHandler(answerError(world.logger));
  server.setNotFoundHandler((request) => {
    throw refuse(404, `The route ${request.method} ${request.url.split('?', 1)[0] ?? ''} does not exist.`);
  });
  await server.register(multipart);
  readBodies(server);
  registerControl(server, world);
  registerOpenApi(server);
  registerTokenEndpoint(server, world);
  registerOperations(server, world, checkAnswers);
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
