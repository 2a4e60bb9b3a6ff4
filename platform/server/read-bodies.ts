import type { FastifyInstance } from 'fastify';
import { keepBody } from '../world/exchange.ts';

/** Parses JSON like the framework, and stores the text for the inspector, even if it is not valid JSON. */
export function readBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (request.watched !== undefined) request.watched.exchange.body = keepBody(text);
    return parse(request, text, done);
  });
}
