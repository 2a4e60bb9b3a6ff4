import { z } from 'zod';
import { nameSchema } from './field-types.ts';

const value = z.union([z.string(), z.number()], {
  error: 'must be a text or a number; a date or true goes into quotes',
});

const variable = z
  .strictObject({
    type: z.enum(['TEXT', 'NUMBER']).describe('Type of its values.'),
    behaviour: z.enum(['SHARED', 'COPIED']).describe('SHARED or COPIED.'),
    description: z.string().optional().describe('What it is for. Left alone where it is not given.'),
    value: value.optional().describe('Default value, for environments without one of their own.'),
    'supports-double-resolution': z.boolean().optional().describe('Left alone where it is not given.'),
  })
  .refine(({ type, value: given }) => given === undefined || fits(type, given), {
    path: ['value'],
    error: 'does not fit the type: TEXT takes a text (numbers go into quotes), NUMBER a number',
  });

/**
 * A file of project variables (spec §2.9, §4.6). `environments` may stand in a file of its own, one for each environment.
 *
 * ```yaml
 * version: 1
 * variables:
 *   day: { type: TEXT, behaviour: SHARED, description: The business day, value: today }
 *   retries: { type: NUMBER, behaviour: COPIED, value: 3 }
 * environments:
 *   dev: { day: "2026-01-31" }
 *   prod: { retries: 5 }
 * ```
 */
export const variablesSchema = z.strictObject({
  version: z.literal(1).describe('Version of this file’s form.'),
  variables: z.record(nameSchema, variable).optional().describe('Variables by name.'),
  environments: z
    .record(nameSchema, z.record(nameSchema, value))
    .optional()
    .describe('Values of their own, by environment and variable.'),
});

/** A file of variables as written. */
export type VariablesFile = z.output<typeof variablesSchema>;

/** Whether a value is of a variable’s type (spec §2.9: “must match the variable type”). */
export function fits(type: string, given: string | number): boolean {
  return type.toUpperCase() === 'NUMBER' ? typeof given === 'number' : typeof given === 'string';
}
