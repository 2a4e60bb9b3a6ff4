import { z } from 'zod';
import { compileGlob } from '../../core/files/glob.ts';

/** Names that appear in addresses, headers and messages: no control characters, no spaces at the ends. */
export const nameSchema = z
  .string()
  .max(200)
  .regex(/^\S(?:[^\p{Cc}\u2028\u2029]*\S)?$/u, {
    error: 'must be a name without line breaks, and without spaces at its start and end',
  });

export const projectIdSchema = z
  .guid({ error: 'must be a project id: a UUID such as 3f0f2c1e-0000-4000-8000-000000000001' })
  .describe('The platform’s id of the project (a UUID).');

/** A glob over files, branches or tags: `*`, `?`, `**`, `{a,b}`. */
export const globSchema = z
  .string()
  .min(1)
  .max(500)
  .refine(compiles, {
    error: 'has braces that expand to more than 1024 alternatives; use * or several patterns',
  })
  .describe('A pattern: * and ? within a folder, ** for any folders, {a,b} for alternatives.');

function compiles(glob: string): boolean {
  try {
    compileGlob(glob);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A file or folder inside the project. */
export const projectPathSchema = z
  .string()
  .max(500)
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\p{Cc}\\]+$/u, {
    error: 'must be a path inside the project, with forward slashes and without ..',
  });
