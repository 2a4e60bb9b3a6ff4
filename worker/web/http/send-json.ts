import type { FastifyReply } from 'fastify';

/** Thrown for a request that its sender can correct. The message is sent as the answer. */
export class BadRequest extends Error {
  readonly statusCode = 400;
}

/** Thrown if something that the answer needs does not respond now. The message is sent to the client. */
export class Unavailable extends Error {
  readonly statusCode = 503;
}

/** Sends JSON with headers that forbid caching, and reading it as another type. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
    .send(body);
}
