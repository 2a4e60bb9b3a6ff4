import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether a form of the inspector sent the request. */
export function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

/** Answers with the new state as JSON, or, for a form of the inspector, with a redirect to its page. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, value }: { readonly page: string; readonly value: object },
): FastifyReply {
  return isForm(request) ? reply.redirect(`/_platform/${page}`, 303) : reply.send(value);
}
