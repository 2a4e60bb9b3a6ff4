import { z } from 'zod';
import { reasonForm, reasonRule } from '../../core/text/reason.ts';
import { globSchema, nameSchema, projectPathSchema } from '../fields/field-types.ts';

const suppressionSchema = z
  .strictObject({
    rule: nameSchema.describe('The rule or check whose findings are suppressed.'),
    file: globSchema.optional().describe('Only in these files, relative to the project.'),
    component: z.string().min(1).max(500).optional().describe('Only at this component.'),
    reason: z
      .string()
      .regex(reasonForm, { error: `must give the reason in a sentence: ${reasonRule}` })
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
  'unknown-key',
  'unknown-parameter',
  'wrong-type',
  'literal-environment',
  'shared-id-changed',
  'shared-pipelines-file',
  'undeclared-variable',
  'passed-variable',
  'missing-file',
  'connector-file',
] as const;

/** The rules of the platform (spec §2.8). */
export const ruleIds = [
  'minimum-components',
  'maximum-components',
  'component-naming-convention',
  'unused-components',
  'copied-variables',
  'start-and-end-components',
  'maximum-outputs',
  'end-output-components',
] as const;

/** The rules that compare a number with a limit. */
const limitedRules: readonly string[] = ['minimum-components', 'maximum-components', 'maximum-outputs'];

const severitySchema = z.enum(['error', 'warning', 'notice', 'off']);

const ruleOverrideSchema = z.strictObject({
  severity: severitySchema.optional().describe('`off`: no findings.'),
  limit: z
    .int()
    .min(0)
    .optional()
    .describe('The limit in these files, in place of the one of the rules file.'),
});

const overrideSchema = z
  .strictObject({
    files: z.array(globSchema).min(1).describe('The files, relative to the project.'),
    rules: z
      .partialRecord(z.enum([...ruleIds, ...checkIds]), ruleOverrideSchema)
      .superRefine((rules, context) => {
        for (const [id, { limit }] of Object.entries(rules)) {
          if (limit === undefined || limitedRules.includes(id)) continue;
          const message = `has no limit; only ${limitedRules.join(', ')} have one`;
          context.addIssue({ code: 'custom', path: [id, 'limit'], message });
        }
      })
      .describe('Rules and checks, each with its severity or its limit in these files.'),
  })
  .describe('Other severities and limits in some files.');

const checksSchema = z
  .partialRecord(z.enum(checkIds), severitySchema)
  .default({})
  .describe(
    'Millrace’s own checks, each with its severity. A check that is not listed is off (docs/rules.md).',
  );

/** What several projects may share. */
const sharedKeys = {
  extends: z
    .string()
    .max(500)
    .regex(/^(?!\/)[^\p{Cc}\\]+$/u, { error: 'must be a relative path with forward slashes' })
    .optional()
    .describe('A file with `checks`, `overrides` and `variables` that apply too, relative to this file.'),
  checks: checksSchema,
  overrides: z
    .array(overrideSchema)
    .default([])
    .describe('Other severities and limits in some files; the last entry that matches a file applies.'),
  variables: z
    .array(globSchema)
    .default([])
    .describe('Project variables on the platform, for the checks undeclared-variable and passed-variable.'),
};

/** A file that `review.extends` names. */
export const sharedReviewSchema = z.strictObject(sharedKeys);

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
    'suppression-comments': z
      .enum(['all', 'base', 'off'])
      .default('base')
      .describe(
        'Which comments `# millrace-ignore` in pipelines apply: `all`, `base` (only comments that the pull request does not add) or `off`.',
      ),
    ...sharedKeys,
  })
  .transform(
    ({
      'agent-version': agentVersion,
      'fail-on': failOn,
      'suppression-comments': suppressionComments,
      ...review
    }) => ({
      agentVersion,
      failOn,
      suppressionComments,
      ...review,
      /** The files that `extends` has led to, relative to the repository. */
      extendedFiles: [] as readonly string[],
    }),
  );

export type RuleId = (typeof ruleIds)[number];
export type RuleOverride = z.output<typeof ruleOverrideSchema>;
export type PathOverride = z.output<typeof overrideSchema>;
export type CheckId = (typeof checkIds)[number];
export type Suppression = z.output<typeof suppressionSchema>;
export type SharedReview = z.output<typeof sharedReviewSchema>;
export type ReviewConfig = z.output<typeof reviewSchema>;
