import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { registerControl } from '../control/register-control.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import { answerError } from './answer-error.ts';
import { registerFaultHooks } from './fault-hooks.ts';
import { registerHostCheck } from './host-check.ts';
import { registerOpenApi } from './openapi-endpoint.ts';
import { readBodies } from './read-bodies.ts';
import { registerOperations } from './register-operations.ts';
import { registerTokenEndpoint } from './token-endpoint.ts';

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
