import { z } from 'zod';
import { reasonForm, reasonRule } from '../../core/text/reason.ts';
import { projectPathSchema } from '../fields/field-types.ts';

const equalSchema = z.strictObject({
  file: projectPathSchema.describe('The pipeline, or the file with SQL, that has the change.'),
  change: z
    .string()
    .regex(/^[0-9a-z]{6}$/, { error: 'must be the id of a change, as the report of `test --mutate` has it' })
    .describe('The id of the change, in quotation marks.'),
  reason: z
    .string()
    .regex(reasonForm, { error: `must give the reason in a sentence: ${reasonRule}` })
    .describe('Reason why the change makes no difference, for later readers.'),
});

/** The section `mutation` of `millrace.yaml`. */
export const mutationSchema = z.strictObject({
  equal: z
    .array(equalSchema)
    .default([])
    .describe('Changes that make no difference, so that no test can notice them.'),
});

/** A planted change that a person marked as one that makes no difference. */
export type EqualChange = z.output<typeof equalSchema>;
