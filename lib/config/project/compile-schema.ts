import { z } from 'zod';
import { reasonForm, reasonRule } from '../../core/text/reason.ts';
import { globSchema, nameSchema, projectPathSchema } from '../fields/field-types.ts';

/** The rules of `millrace compile` (docs/compile.md). */
export const compileRules = [
  'breaking-change',
  'changed-type',
  'missing-table',
  'missing-column',
  'ambiguous-column',
  'cannot-run',
  'given-column',
  'declared-table',
  'unreadable-pipeline',
] as const;

export type CompileRule = (typeof compileRules)[number];

/**
 * Whether a finding is about a pipeline that cannot be read. Such a pipeline may hide any finding, so no severity,
 * baseline or acceptance applies to it.
 */
export function isUnreadable(rule: CompileRule): rule is 'unreadable-pipeline' {
  return rule === 'unreadable-pipeline';
}

/** The rules that a project may configure. */
const settableRules = compileRules.filter((rule) => !isUnreadable(rule));

const severitySchema = z.enum(['error', 'warning', 'notice', 'off']);

const acceptSchema = z
  .strictObject({
    rule: z.enum(settableRules).optional().describe('Only findings of this rule.'),
    table: nameSchema
      .optional()
      .describe('Only findings about this table: its name, or `database.schema.table`. Case does not count.'),
    column: nameSchema.optional().describe('Only findings about this column. Case does not count.'),
    file: globSchema.optional().describe('Only in these files, relative to the project.'),
    component: z.string().min(1).max(500).optional().describe('Only at this component.'),
    reason: z
      .string()
      .regex(reasonForm, { error: `must give the reason in a sentence: ${reasonRule}` })
      .describe('Reason for the acceptance, for later readers.'),
    until: z.iso
      .date({ error: 'must be a date such as 2026-12-31' })
      .optional()
      .describe('The last day (UTC) of the acceptance.'),
  })
  .superRefine(({ rule, table, column, file, component, until }, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
    };
    if ([rule, table, column, file, component].every((part) => part === undefined))
      refuse('must name a rule, a table, a column, a file or a component');
    if (until === undefined && (rule === undefined || rule === 'breaking-change' || rule === 'missing-table'))
      refuse('must have `until`, because it may accept a change that breaks readers');
  });

/** The section `compile` of `millrace.yaml`. */
export const compileSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether the action `test` and editors compile the project. `millrace compile` always does.'),
  rules: z
    .partialRecord(z.enum(settableRules), severitySchema)
    .default({})
    .describe(
      'Other severities of findings; `off`: no findings. Without it: `error`, or `warning` if only the engine refuses what a change leads to.',
    ),
  baseline: projectPathSchema.optional().describe('File with the recorded known findings.'),
  accept: z
    .array(acceptSchema)
    .default([])
    .describe('Accepted findings, such as of a column that is renamed in two steps.'),
});

export type AcceptEntry = z.output<typeof acceptSchema>;
export type CompileConfig = z.output<typeof compileSchema>;
