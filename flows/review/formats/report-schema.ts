import { z } from 'zod';
import { callRootSchema } from '../../../lib/config/project/calls-schema.ts';
import { severities } from '../../../lib/core/outcomes/finding.ts';

const position = z.int().min(1);

/** A finding as reports show it. */
export const findingSchema = z.object({
  rule: z.string().describe('Rule id of the platform, or `millrace/…` for a check of Millrace.'),
  severity: z.enum(severities),
  file: z.string().describe('Relative to the repository, with forward slashes.'),
  line: position,
  column: position.describe('From 1, in UTF-16 code units.'),
  endLine: position,
  endColumn: position.describe(
    'Exclusive. If it equals `column` on the same line, the finding is about the whole file.',
  ),
  component: z.string().optional(),
  subject: z.string().optional().describe('The part of the component: a parameter, a variable, a name.'),
  message: z.string(),
  errorType: z
    .string()
    .optional()
    .describe('Why the rule could not be evaluated. Such a finding is never known and never suppressed.'),
  count: z.number().optional().describe('The number that a rule with a limit counted.'),
  fix: z
    .object({ line: position, column: position, endLine: position, endColumn: position, text: z.string() })
    .optional()
    .describe('A safe fix: replace the range with this text.'),
  unfixable: z
    .string()
    .optional()
    .describe('Why `--fix` did not fix this finding although its rule has an automatic fix.'),
  source: z.enum(['platform', 'millrace']).describe('Where the finding comes from.'),
  state: z.enum(['new', 'known', 'fixed']).describe('State against the baseline; only `new` counts.'),
  fingerprint: z
    .string()
    .describe('Stable identity without line numbers; its first ten digits are the id of `--explain`.'),
});

/** The schema of what `millrace review --json` prints; docs/schemas/review.schema.json is made from it. */
export const reportSchema = z.object({
  outcome: z.enum(['passed', 'failed', 'nothing-to-do']),
  findings: z
    .array(findingSchema)
    .describe('New findings first, then known, then fixed; the worst first in each group.'),
  suppressed: z.array(
    findingSchema.extend({
      reason: z.string(),
      suppressedBy: z
        .enum(['comment', 'settings'])
        .describe('A comment in the pipeline, or `review.suppress` in `millrace.yaml`.'),
    }),
  ),
  counts: z.object({ error: z.int(), warning: z.int(), notice: z.int() }).describe('New findings only.'),
  reviewed: z.array(z.string()),
  excluded: z.array(z.string()).describe('Files of an unsupported type.'),
  uncounted: z
    .int()
    .describe(
      'Number of findings that are known at every count, because an older version recorded the baseline.',
    ),
  base: z
    .object({ commit: z.string(), known: z.int() })
    .optional()
    .describe(
      'With `--new-only`: the reviewed commit of the base, and the number of findings that are known only because it has them.',
    ),
  branch: z.string(),
  commit: z
    .string()
    .describe('The commit, or the one that index and work tree are based on; empty if there is none.'),
  callRoot: callRootSchema,
  reviewedFrom: z.enum(['commit', 'staged', 'working-tree']),
  source: z.enum(['platform', 'local']).describe('Where the rules were evaluated.'),
  reviewStatus: z.string().optional().describe('The review status of the platform.'),
  scopeReason: z.string().describe('Why these files were reviewed, or why none was.'),
  submodules: z
    .array(z.string())
    .optional()
    .describe('Submodules of the project, whose pipelines are not reviewed.'),
  notFetched: z
    .array(z.string())
    .optional()
    .describe(
      'Pipelines of the project that were not read, because this partial clone has not fetched their content.',
    ),
  policyChanges: z
    .array(z.string())
    .describe(
      'Files that decide about the review (settings, rules file, baseline) and that the change touches.',
    ),
  fixes: z
    .object({
      dryRun: z.boolean().describe('Nothing was written; the report describes the files as they would be.'),
      files: z.array(z.object({ file: z.string(), count: z.int().describe('Number of fixes.') })),
      unsafe: z
        .int()
        .describe('Number of findings that `--unsafe-fixes` would also fix; 0 with this option.'),
      diff: z.string().describe('The changes as a unified diff for `git apply`.'),
    })
    .optional()
    .describe(
      'With `--fix`. A remaining finding has the reason in `unfixable`, or its rule has no automatic fix.',
    ),
});
