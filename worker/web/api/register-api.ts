import type { ApiPorts } from './operations/api-call.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { viaHeader } from '../../records/audit-entry.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Access } from '../sign-in/access.ts';
import { BadRequest, sendJson } from '../http/send-json.ts';
import { viaOf } from '../http/via-of.ts';
import { answerRoute } from './answer-route.ts';
import { type ApiAnswer, unknown } from './operations/answers.ts';
import { type Route, routes } from './routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, at the routes of the operators' API. */
    operator: Operator | undefined;
  }
}

const maxBytes = 64 * 1024;

export interface ApiContext {
  readonly access: Access;
  readonly ports: ApiPorts;
}

/**
 * Registers the operators' API below `/api`; `routes.ts` lists its routes. A lane's id contains slashes, so it is
 * percent-encoded in paths. A request is authenticated before its body is read.
 */
export function registerApi(scope: FastifyInstance, { access, ports }: ApiContext): void {
  scope.decorateRequest('operator');
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBytes }, (_request, text, done) => {
    const body = parseJson(String(text));
    if (body === undefined) return done(new BadRequest('the body is not JSON'));
    done(null, body.value);
  });
  scope.addHook('onRequest', async (request, reply) => {
    if (!access.isOpen()) return sendJson(reply, 403, closed);
    request.operator = await access.identify(request);
    if (request.operator === undefined) return sendUnauthorized(reply);
  });
  scope.setNotFoundHandler((_request, reply) => sendJson(reply, 404, unknown().body));
  for (const route of routes) {
    scope.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { status, body, lines } = await answer(route, request, ports);
        return lines === undefined ? sendJson(reply, status, body) : sendLines(reply, lines);
      },
    });
  }
}

/** Sends lines as they are read. An error cuts the answer off, so that its last line is missing. */
function sendLines(reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="millrace.ndjson"',
      'x-content-type-options': 'nosniff',
    })
    .type('application/x-ndjson; charset=utf-8')
    .send(Readable.from(lines));
}

const closed = {
  error: 'the worker has no operators: set MILLRACE_WORKER_TOKEN or list operators in worker.yaml',
  status: 403,
};

/** Answers 401, and asks for an operator's token. */
export function sendUnauthorized(reply: Parameters<typeof sendJson>[0]): ReturnType<typeof sendJson> {
  return sendJson(reply, 401, { error: 'unauthorized', status: 401 }, { 'www-authenticate': 'Bearer' });
}

const params = z.object({ id: z.string().default('') });

async function answer(route: Route, request: FastifyRequest, ports: ApiPorts): Promise<ApiAnswer> {
  const { operator, body, headers, raw } = request;
  if (operator === undefined) throw new Error('the request was not authenticated');
  return answerRoute(route, {
    operator,
    ports,
    id: params.parse(request.params).id,
    query: new URL(request.url, 'http://worker').searchParams,
    body,
    via: viaOf(operator, headers[viaHeader.name] === viaHeader.commandLine ? 'command-line' : 'api'),
    isDisconnected: () => raw.socket.writableEnded || raw.socket.destroyed,
  });
}

/** The value of a JSON text; undefined if it is not JSON. An empty text is valid and has no value. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}
