import { z } from 'zod';
import { testReportSchema } from '../../pipeline-tests/report/report-schema.ts';
import { type FaultKind, faultKinds } from '../faults/fault-kinds.ts';

const position = z.int().min(1);
const count = z.int().min(0);
const kinds = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];

const changeSchema = z.object({
  id: z.string().describe('Six letters and digits. It stays when lines move.'),
  file: z.string().describe('The pipeline, or the file with SQL, relative to the project.'),
  component: z
    .string()
    .optional()
    .describe('In a file with SQL: the first component that runs it, as `pipeline#Component`.'),
  part: z.string().describe('The parameter, `sources` or `transitions`; empty in a file with SQL.'),
  kind: z.enum(kinds),
  line: position,
  column: position,
  endLine: position,
  endColumn: position,
  before: z.string(),
  after: z.string().describe('Empty: `before` is left out.'),
  verdict: z
    .enum(['noticed', 'not-noticed', 'not-reached', 'refused', 'equal'])
    .describe(
      '`refused`: the engine does not support the pipeline with the change. `equal`: marked in `millrace.yaml`, and not tried.',
    ),
  tests: count.describe('Number of tests that reach it.'),
  noticedBy: z
    .object({
      file: z.string(),
      line: position,
      name: z.string(),
      by: z
        .enum(['result', 'failure'])
        .describe('`failure`: the pipeline fails or takes too long; `result`: another expectation is false.'),
    })
    .optional()
    .describe('The first test that fails.'),
  reason: z.string().optional().describe('Of `refused` and of `equal`.'),
  rows: z
    .enum(['found', 'perhaps-equal', 'not-searched'])
    .optional()
    .describe(
      'With `--find-rows`, of `not-noticed`: whether rows were found that show the change. `not-searched`: the time was used up.',
    ),
});

/**
 * The schema of what `millrace test --mutate --format json` prints; docs/schemas/mutation-report.schema.json is
 * made from it.
 */
export const mutationReportSchema = z.object({
  outcome: z.enum(['passed', 'failed', 'error', 'nothing-to-do']),
  threshold: z.number().optional(),
  seed: z.int(),
  noticed: count,
  notNoticed: count,
  notReached: count.describe('Changes at places that no test runs.'),
  refused: count.describe(
    'Changes without a verdict, because the engine does not support the pipeline with the change.',
  ),
  equal: count,
  notTried: z.object({
    byMax: count.describe('Left out by `--max`.'),
    byBudget: count.describe('Left out because `--budget` was used up.'),
  }),
  percent: z
    .int()
    .nullable()
    .describe(
      '`noticed` as a percentage of `noticed` and `notNoticed` together, rounded down; null: no change was tried.',
    ),
  changes: z.array(changeSchema).describe('In the order of the files, without those that were not tried.'),
  tests: count.describe('Tests that pass without a change.'),
  failed: z
    .array(
      z.object({ file: z.string(), line: position, name: z.string(), status: z.enum(['failed', 'refused']) }),
    )
    .describe('Tests that do not pass without a change.'),
  unusedMarks: z
    .array(z.object({ file: z.string(), change: z.string(), reason: z.string() }))
    .describe('Entries of `mutation.equal` in millrace.yaml whose file has no such change any more.'),
  problems: testReportSchema.shape.problems,
});
