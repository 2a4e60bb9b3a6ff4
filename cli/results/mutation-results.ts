import * as z from 'zod';
import type { MutationReport } from '../../flows/mutation/run/mutate.ts';

/** The report of `millrace test --mutate`, with what the command line adds to it. */
export type MutationResult = MutationReport & {
  readonly outcome: 'passed' | 'failed' | 'error' | 'nothing-to-do';
  readonly threshold?: number;
};

/** What `millrace test --add-row --json` prints. */
export const addRowResult = z.object({
  outcome: z.enum(['passed', 'nothing-to-do']),
  id: z.string().describe('The change.'),
  change: z.string(),
  dryRun: z.boolean().describe('Nothing was written.'),
  file: z.string().optional().describe('The test file with one more test.'),
  name: z.string().optional().describe('The added test.'),
  diff: z.string().optional(),
  files: z
    .array(z.string())
    .optional()
    .describe('Further files that were written: the expected rows of tables with too many for a test.'),
  reason: z.string().optional().describe('Why no test was added.'),
});
