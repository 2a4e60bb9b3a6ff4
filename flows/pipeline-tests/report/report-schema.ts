import { z } from 'zod';
import { callRootSchema } from '../../../lib/config/project/calls-schema.ts';
import { differenceKinds } from '../compare/test-result.ts';

const position = z.int().min(1);
const placeSchema = z.object({ file: z.string(), line: position, column: position });
const countSchema = z.object({ reached: z.int(), all: z.int() });

const differenceSchema = placeSchema.extend({
  kind: z.enum(differenceKinds).describe('`refused`: the engine does not support a construct.'),
  table: z.string().optional().describe('As the test names it.'),
  component: z.string().optional().describe('The component that caused it, where that is known.'),
  at: placeSchema.optional().describe('Where that component is.'),
  expected: z.json().optional().describe('A row by its columns, a value or a number of rows.'),
  actual: z.json().optional(),
  columns: z.array(z.string()).optional().describe('Of a `changed-row`: the columns that differ.'),
  message: z.string(),
  sql: z
    .object({
      written: z.string().optional().describe('As written, with the values of variables.'),
      ran: z.string().optional().describe('The SQL that the engine ran.'),
    })
    .optional()
    .describe('The SQL that failed, if that is why; long texts are cut.'),
});

const testSchema = z.object({
  file: z.string().describe('The test file, relative to the project.'),
  line: position,
  name: z.string(),
  pipeline: z.string().describe('Path of the pipeline’s file.'),
  status: z.enum(['passed', 'failed', 'refused']),
  durationMs: z.number().describe('Of the run that gave the result.'),
  differences: z.array(differenceSchema).describe('False expectations, on their lines in the test file.'),
  isCached: z
    .literal(true)
    .optional()
    .describe('It passed before, and did not run again because nothing that it reads has changed.'),
});

const problemsSchema = z.array(placeSchema.extend({ message: z.string() }));

/** The schema of what `millrace test --list --json` prints. */
export const testListSchema = z.strictObject({
  tests: z
    .array(testSchema.pick({ file: true, line: true, name: true, pipeline: true }))
    .describe('In the order of the files. Nothing ran.'),
  problems: problemsSchema
    .optional()
    .describe(
      'What is wrong in test files, fixtures and pipelines: their tests are not in `tests`, and the exit code is 2.',
    ),
});

const coverageSchema = z.object({
  pipelines: z.array(
    z.object({
      pipeline: z.string(),
      components: countSchema,
      transitions: countSchema,
      unreached: z.array(
        placeSchema.extend({
          kind: z.enum(['component', 'transition', 'branch', 'pipeline']),
          component: z.string().describe('Empty for a pipeline that no test runs.'),
          message: z.string(),
        }),
      ),
    }),
  ),
});

/** The schema of what `millrace test --format json` prints; docs/schemas/test-report.schema.json is made from it. */
export const testReportSchema = z.object({
  passed: z.int(),
  failed: z.int(),
  refused: z.int(),
  tests: z.array(testSchema).describe('In the order of the files.'),
  problems: problemsSchema
    .optional()
    .describe(
      'What is wrong in test files, fixtures and pipelines: their tests are not in `tests`, and the exit code is 2.',
    ),
  callRoot: callRootSchema,
  coverage: coverageSchema.optional().describe('With `--coverage`: what no test reached.'),
});
