import type { FastifyInstance } from 'fastify';
import { keepBody } from '../world/exchange.ts';

/** Reads JSON as the framework does, and keeps its text for the inspector, also of what is no JSON. */
export function readBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (request.watched !== undefined) request.watched.exchange.body = keepBody(text);
    return parse(request, text, done);
  });
}
