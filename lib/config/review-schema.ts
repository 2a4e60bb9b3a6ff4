import { z } from 'zod';
import { globSchema, nameSchema, projectPathSchema } from './field-types.ts';

const suppressionSchema = z
  .strictObject({
    rule: nameSchema.describe('The rule or check whose findings are suppressed.'),
    file: globSchema.optional().describe('Only in these files, relative to the project.'),
    component: z.string().min(1).max(500).optional().describe('Only at this component.'),
    reason: z
      .string()
      .regex(/\S.*\S/, { error: 'must give the reason in a sentence' })
      .describe('Reason for the suppression, for later readers.'),
    until: z.iso
      .date({ error: 'must be a date such as 2026-12-31' })
      .optional()
      .describe('The last day (UTC) of the suppression.'),
  })
  .describe('Suppressed findings, each with a reason.');

/** Millrace's own checks, in addition to the platform's rules (docs/rules.md). */
export const checkIds = [
  'unknown-call',
  'call-cycle',
  'dangling-reference',
  'literal-environment',
  'shared-id-changed',
  'undeclared-variable',
  'connector-file',
] as const;

const checksSchema = z
  .partialRecord(z.enum(checkIds), z.enum(['error', 'warning', 'notice', 'off']))
  .default({})
  .describe(
    'Millrace’s own checks, each with its severity. A check that is not listed is off (docs/rules.md).',
  );

/** The section `review` of `millrace.yaml`. */
export const reviewSchema = z
  .strictObject({
    'agent-version': nameSchema
      .optional()
      .describe('Runner version for the header Agent-Version (spec §4.5).'),
    'fail-on': z
      .enum(['error', 'warning', 'notice', 'never'])
      .default('error')
      .describe('The lowest severity that fails the review.'),
    scope: z.enum(['changed', 'all']).default('changed').describe('Pipelines to review.'),
    baseline: projectPathSchema.optional().describe('File with the recorded known findings.'),
    suppress: z.array(suppressionSchema).default([]).describe('Suppressed findings, each with a reason.'),
    checks: checksSchema,
    variables: z
      .array(globSchema)
      .default([])
      .describe('Project variables on the platform, for the check undeclared-variable.'),
  })
  .transform(({ 'agent-version': agentVersion, 'fail-on': failOn, ...review }) => ({
    agentVersion,
    failOn,
    ...review,
  }));

export type CheckId = (typeof checkIds)[number];
export type Suppression = z.output<typeof suppressionSchema>;
export type ReviewConfig = z.output<typeof reviewSchema>;
