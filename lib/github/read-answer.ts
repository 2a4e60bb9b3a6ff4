import type { z } from 'zod';

/**
 * Validates the used part of GitHub's answer. A proxy or a login page may answer 200 with other content; an empty
 * list made from it would look like "nothing changed". Throws an Error.
 */
export function readAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new Error('the answer does not have the format of its API; a proxy or login page may have sent it');
}
