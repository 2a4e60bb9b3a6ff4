import { z } from 'zod';
import { readPublicKey } from '../../evidence/keys.ts';
import { evidenceKinds } from '../../evidence/evidence-kinds.ts';
import { nameSchema } from '../fields/field-types.ts';

/** A moment: a date (its start in UTC), or a date and time with its offset. */
const momentSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'must be a date such as 2026-11-30, or a moment such as 2026-11-30T20:00:00Z',
  })
  .transform((text) => Date.parse(text));

const keySchema = z
  .strictObject({
    name: nameSchema.describe('Name of the key, for messages.'),
    'public-key': z
      .string()
      .refine((text) => readPublicKey(text) !== undefined, {
        error: 'must be the public key that `millrace evidence keygen` prints, on one line',
      })
      .describe('The public key, as `millrace evidence keygen` prints it.'),
    from: momentSchema.optional().describe('Statements from before are refused.'),
    until: momentSchema.optional().describe('Statements from this moment on are refused.'),
    revoked: momentSchema
      .optional()
      .describe('Statements from this moment on are refused, because the key was revoked.'),
    statements: z
      .array(z.enum(evidenceKinds))
      .min(1)
      .optional()
      .describe('The kinds of statements that the key may sign. Default: all.'),
  })
  .refine(({ from, until }) => from === undefined || until === undefined || from < until, {
    error: 'has an `until` that is not after its `from`; no statement could be valid',
  });

/** Who may sign statements about a repository. */
export const evidenceSchema = z.strictObject({
  keys: z
    .array(keySchema)
    .max(20)
    .default([])
    .describe('Public keys that may sign statements about this repository; several during a rotation.'),
});

export type EvidenceKey = z.output<typeof keySchema>;
