import { z } from 'zod';

/** The name of an environment variable that contains the value. */
export const variableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: 'must be the name of an environment variable, never the value itself',
  })
  .describe('Name of the environment variable with the value.');

/** The path of a file that contains the value. */
export const secretFileSchema = z
  .string()
  .min(1)
  .max(1000)
  .describe('File with the value; read again for each use.');

export const addressSchema = z
  .string()
  .refine(isAddress, { error: 'must be an http or https address without user, password or query' })
  .describe('An http or https address.');

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
