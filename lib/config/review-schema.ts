import { z } from 'zod';
import { globSchema, nameSchema, projectPathSchema } from './field-types.ts';

const suppressionSchema = z
  .strictObject({
    rule: nameSchema.describe('The rule or check whose findings are silenced.'),
    file: globSchema.optional().describe('Only in these files, relative to the project.'),
    component: z.string().min(1).max(500).optional().describe('Only at this component.'),
    reason: z
      .string()
      .regex(/\S.*\S/, { error: 'must say why: a sentence for whoever reads it next year' })
      .describe('Why it may stay: for whoever reads it next year.'),
    until: z.iso
      .date({ error: 'must be a day such as 2026-12-31' })
      .optional()
      .describe('The last day (UTC) on which it holds.'),
  })
  .describe('Findings that may stay, and why.');

/** Checks of our own, beside the platform's rules (docs/rules.md). */
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
  .describe('Checks of our own with the severity of each; those not named are off (docs/rules.md).');

/** The section `review` of `millrace.yaml`. */
export const reviewSchema = z
  .strictObject({
    'agent-version': nameSchema
      .optional()
      .describe('Runner version for the header Agent-Version (spec §4.5).'),
    'fail-on': z
      .enum(['error', 'warning', 'notice', 'never'])
      .default('error')
      .describe('The mildest severity that fails the review.'),
    scope: z.enum(['changed', 'all']).default('changed').describe('Which pipelines are reviewed.'),
    baseline: projectPathSchema.optional().describe('File of the recorded old findings.'),
    suppress: z.array(suppressionSchema).default([]).describe('Findings that may stay, each with a reason.'),
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
