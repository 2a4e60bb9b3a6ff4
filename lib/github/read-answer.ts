import type { z } from 'zod';

/**
 * What an answer of GitHub's holds, as far as it is used: a proxy or a login page in between may answer 200 with
 * something else, and an empty list made of that would pass for "nothing changed". Throws an Error in words.
 */
export function readAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new Error('the answer is not one of its API; something in between may have given it');
}
