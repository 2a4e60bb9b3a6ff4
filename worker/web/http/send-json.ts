import type { FastifyReply } from 'fastify';

/** A request that its sender can correct. The message is the answer. */
export class BadRequest extends Error {
  readonly statusCode = 400;
}

/** What the answer depends on does not answer now. The message is for the sender. */
export class Unavailable extends Error {
  readonly statusCode = 503;
}

/** Sends JSON that must not be cached or read as another type. */
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
