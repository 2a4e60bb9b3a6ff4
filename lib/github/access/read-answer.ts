import type { z } from 'zod';

/** The error for an answer that cannot come from GitHub's API. */
export function notFromGitHub(): Error {
  return new Error('the answer does not have the format of its API; a proxy or login page may have sent it');
}

/**
 * Validates an answer of GitHub, as far as it is used. A proxy or a login page may answer 200 with something else; an
 * empty list made of that would mean "nothing changed". Throws an Error with a message for users.
 */
export function readAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw notFromGitHub();
}

/** Whether octokit could not parse a body as JSON. Every real answer of the API is JSON or empty. */
export function isWebPage(data: unknown): boolean {
  return (typeof data === 'string' && data !== '') || data instanceof ArrayBuffer;
}
