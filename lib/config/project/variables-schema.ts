import { z } from 'zod';
import { nameSchema } from '../fields/field-types.ts';

const value = z.union([z.string(), z.number()], {
  error: 'must be a text or a number; put a date or true in quotes',
});

const variable = z
  .strictObject({
    type: z.enum(['TEXT', 'NUMBER']).describe('Type of the values.'),
    behaviour: z.enum(['SHARED', 'COPIED']).describe('SHARED or COPIED.'),
    description: z.string().optional().describe('Purpose of the variable. Not changed if absent.'),
    value: value.optional().describe('Default value for environments without an override.'),
    'supports-double-resolution': z.boolean().optional().describe('Not changed if absent.'),
  })
  .refine(({ type, value: defaultValue }) => defaultValue === undefined || fits(type, defaultValue), {
    path: ['value'],
    error: 'does not match the type: TEXT takes a text (put numbers in quotes), NUMBER a number',
  });

/**
 * A file of project variables (spec §2.9, §4.6). `environments` may be in a separate file, one for each environment.
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
  version: z.literal(1).describe('Version of the file format.'),
  variables: z.record(nameSchema, variable).optional().describe('Variables by name.'),
  environments: z
    .record(nameSchema, z.record(nameSchema, value))
    .optional()
    .describe('Overrides, by environment and variable.'),
});

/** A parsed file of variables. */
export type VariablesFile = z.output<typeof variablesSchema>;

/** Whether a value has a variable’s type (spec §2.9: “must match the variable type”). */
export function fits(type: string, scalar: string | number): boolean {
  return type.toUpperCase() === 'NUMBER' ? typeof scalar === 'number' : typeof scalar === 'string';
}
