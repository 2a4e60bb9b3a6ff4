import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { BadRequest } from '../../http/send-json.ts';

/** The fields of a form that a browser sent. */
export type Form = Readonly<Record<string, string>>;

const schema = z.record(z.string(), z.string());

/**
 * Parses the form in the body of a request; without a body, the form is empty. Throws BadRequest if a field occurs
 * twice.
 */
export function formOf({ body }: FastifyRequest): Form {
  const form = schema.safeParse(body ?? {});
  if (!form.success) throw new BadRequest('the form is not valid');
  return form.data;
}
