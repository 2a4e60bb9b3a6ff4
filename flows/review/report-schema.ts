import { z } from 'zod';
import { severities } from '../../lib/core/finding.ts';

const position = z.int().min(1);

const findingSchema = z.object({
  rule: z.string().describe('The platform’s rule id, or `millrace/…` for a check of our own.'),
  severity: z.enum(severities),
  file: z.string().describe('Relative to the repository, with forward slashes.'),
  line: position,
  column: position.describe('Counts from 1 in UTF-16 units.'),
  endLine: position,
  endColumn: position.describe(
    'Exclusive. Where it equals `column` on the same line, the finding is about the whole file.',
  ),
  component: z.string().optional(),
  subject: z.string().optional().describe('What exactly in the component: a parameter, a variable, a name.'),
  message: z.string(),
  errorType: z
    .string()
    .optional()
    .describe('Why the rule could not be evaluated. Such a finding is never known and never suppressed.'),
  count: z.number().optional().describe('What a rule about a number counted.'),
  fix: z
    .object({ line: position, column: position, endLine: position, endColumn: position, text: z.string() })
    .optional()
    .describe('A sure mend: this text in place of the range.'),
  unfixable: z
    .string()
    .optional()
    .describe('Why `--fix` leaves this one alone, where its rule has an automatic fix.'),
  source: z.enum(['platform', 'millrace']).describe('Who found it.'),
  state: z.enum(['new', 'known', 'fixed']).describe('Against the baseline; only `new` counts.'),
  fingerprint: z.string().describe('Stable identity without line numbers.'),
});

/** What `millrace review --json` prints; docs/schemas/review.schema.json is made from it. */
export const reportSchema = z.object({
  outcome: z.enum(['passed', 'failed', 'nothing-to-do']),
  findings: z.array(findingSchema).describe('New ones first, then known, then fixed; each worst first.'),
  suppressed: z.array(findingSchema.extend({ reason: z.string() })),
  counts: z.object({ error: z.int(), warning: z.int(), notice: z.int() }).describe('New findings only.'),
  reviewed: z.array(z.string()),
  excluded: z.array(z.string()).describe('Files of an unsupported type.'),
  uncounted: z
    .int()
    .describe('Findings that are known at any count, because an older version recorded the baseline.'),
  branch: z.string(),
  commit: z
    .string()
    .describe('The commit, or the one that index and work tree stand on; empty where there is none.'),
  reviewedFrom: z.enum(['commit', 'staged', 'working-tree']),
  source: z.enum(['platform', 'local']).describe('Who evaluated the rules.'),
  reviewStatus: z.string().optional().describe('The platform’s own word.'),
  scopeReason: z.string().describe('Why these files; where there are none, why not.'),
  policyChanges: z
    .array(z.string())
    .describe('Settings, rules file and baseline, as far as the change touches them.'),
  fixes: z
    .object({
      dryRun: z.boolean().describe('Nothing was written; the report is that of the files as they would be.'),
      files: z.array(z.object({ file: z.string(), count: z.int().describe('Of fixes.') })),
      diff: z.string().describe('What was changed, or would be, in the unified form of `git apply`.'),
    })
    .optional()
    .describe(
      'With `--fix`. A finding that is left says in `unfixable` why, or its rule has no automatic fix.',
    ),
});
