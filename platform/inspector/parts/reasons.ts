import * as z from 'zod';

/** The three forms of an error's body (spec §7, unknowns §1). */
const errorBody = z.object({
  violations: z.array(z.string()).optional(),
  'validation-errors': z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** The reasons why a request was refused, one sentence each; empty if it was not, or if the body gives no reason. */
export function reasonsOf(status: number | null, answer: string | undefined): readonly string[] {
  if (status === null || status < 400 || answer === undefined) return [];
  const parsed = errorBody.safeParse(parse(answer));
  if (!parsed.success) return [];
  const { violations, 'validation-errors': fields, error, error_description: description } = parsed.data;
  if (violations !== undefined) return violations;
  if (fields !== undefined) return fields.map(({ field, message }) => `${field} ${message}`);
  const text = description ?? error;
  return text === undefined ? [] : [text];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
