import type { FastifyInstance } from 'fastify';
import { openApiOf } from '../../lib/contract/openapi.ts';
import { operations } from '../../lib/contract/operations.ts';

/** Serves the contract as OpenAPI for tools, without a token. */
export function registerOpenApi(server: FastifyInstance): void {
  server.get('/_platform/openapi.json', (request) => ({
    ...openApiOf(operations, 'v1'),
    servers: [{ url: `${request.protocol}://${request.host}` }],
  }));
}
