import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { BadRequest } from '../../http/send-json.ts';

/** The fields of a form. */
export type Form = Readonly<Record<string, string>>;

const schema = z.record(z.string(), z.string());

/** The form in the body of a request; no body is an empty form. Throws BadRequest if a field is given twice. */
export function formOf({ body }: FastifyRequest): Form {
  const form = schema.safeParse(body ?? {});
  if (!form.success) throw new BadRequest('the form is not valid');
  return form.data;
}
