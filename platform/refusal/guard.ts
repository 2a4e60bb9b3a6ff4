import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { isSameOrigin } from '../../lib/http/is-same-origin.ts';
import { badRequest, refuse } from './refusal.ts';
import { sentences } from './violations.ts';

export const writeHeader = 'x-millrace-platform';

/**
 * Protects against web pages: a page can send a plain POST to any host, but a custom header requires a CORS
 * preflight. The inspector's own forms need no header. @throws Refusal 403
 */
export function requireWriteHeader(request: FastifyRequest): void {
  if (request.method === 'GET' || request.headers[writeHeader] !== undefined || isSameOrigin(request)) return;
  throw refuse(403, `A request that changes the local platform itself needs the header "${writeHeader}: 1".`);
}

/** Parses a value with a schema. @throws Refusal 400 with one sentence for each invalid field */
export function check<Schema extends z.ZodType>(
  { url }: { readonly url: string },
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  throw badRequest(url.split('?', 1)[0] ?? '', sentences(checked.error));
}
