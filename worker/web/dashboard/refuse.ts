import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { BadRequest, sendJson, Unavailable } from '../http/send-json.ts';
import { sendPage } from './parts/page-reply.ts';
import { errorPage } from './pages/error-page.ts';

/** Paths for programs: the answer is JSON, whatever the `Accept` header says. */
const programPaths = /^\/(?:api|webhooks|livez|readyz|metrics)(?:[/?]|$)/;

export function isForBrowser({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '') && !programPaths.test(url);
}

const texts: ReadonlyMap<number, string> = new Map([
  [400, 'the request is not valid'],
  [404, 'no such page'],
  [413, 'the body is too large'],
  [415, 'the content type is not supported'],
  [500, 'internal'],
  [503, 'the records cannot be read now'],
]);

/** Refuses a request: with a page for a browser, with JSON for other clients. */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error = texts.get(status) ?? 'refused',
  words?: string,
): FastifyReply {
  return isForBrowser(request)
    ? sendPage(reply, errorPage(status, words))
    : sendJson(reply, status, { error, status });
}

/** Refuses a request that matches no route. */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return URL.canParse(request.url, 'http://worker')
    ? refuse(request, reply, 404)
    : refuse(request, reply, 400, 'the address is not valid');
}

/** Refuses a request because something that it depends on does not answer. */
export function refuseUnavailable(
  request: FastifyRequest,
  reply: FastifyReply,
  { message }: Unavailable,
): FastifyReply {
  return refuse(request, reply, 503, message, message);
}

/** Answers errors that a handler or the framework throws. No answer contains a stack trace. */
export function answerErrors(scope: FastifyInstance, logger: Logger): void {
  scope.setErrorHandler((error, request, reply) => {
    if (error instanceof BadRequest) return refuse(request, reply, 400, error.message);
    if (error instanceof Unavailable) return refuseUnavailable(request, reply, error);
    const status = statusOf(error) ?? 500;
    if (status === 500) logger.error('A request failed.', { error: String(error) });
    return refuse(request, reply, status);
  });
}

/**
 * The HTTP status that the framework gives an error, such as a body that is too large or a handler that took too
 * long.
 */
export function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && texts.has(status) ? status : undefined;
}
