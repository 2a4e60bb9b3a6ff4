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

/** The HTTP server over a world; not listening yet. */
export async function createServer(
  world: World,
  checkAnswers: boolean,
  host: string,
): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: world.limits.jsonBytes,
    genReqId: () => world.ids.requestId(),
    // Idle keep-alive connections must not hold up the end.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024 },
    // A slow client holds a socket, not the platform; an upload of a gigabyte may take its time.
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
    throw refuse(404, `There is no ${request.method} ${request.url.split('?', 1)[0] ?? ''}.`);
  });
  await server.register(multipart);
  readBodies(server);
  registerControl(server, world);
  registerOpenApi(server);
  registerTokenEndpoint(server, world);
  registerOperations(server, world, checkAnswers);
  return server;
}
