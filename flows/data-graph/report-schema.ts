import { z } from 'zod';
import { compileRules } from './compile-report.ts';

const position = z.int().min(1);
const placeSchema = z.object({
  file: z.string().describe('Relative to the project.'),
  line: position,
  column: position,
});
const relatedSchema = placeSchema.extend({ pipeline: z.string(), component: z.string() });
const tableSchema = z.object({ database: z.string(), schema: z.string(), table: z.string() });

/** What `millrace compile --json` prints. */
export const compileReportSchema = z.object({
  findings: z
    .array(
      placeSchema.extend({
        rule: z.enum(compileRules),
        severity: z
          .enum(['error', 'warning'])
          .describe('A warning: what the engine refuses may work in the warehouse.'),
        pipeline: z.string().describe('The path of the pipeline; of a test, the pipeline that it tests.'),
        component: z.string().optional(),
        message: z.string(),
        related: z
          .array(relatedSchema)
          .describe('The readers of a changed table, or the components that create a table that is read.'),
      }),
    )
    .describe('What fails in every run that reaches it, in the order of files and lines.'),
  pipelines: z.int(),
  reads: z
    .object({ bound: z.int(), total: z.int() })
    .describe('How many components read a table, and how many of these could be bound.'),
  unknown: z
    .array(z.object({ reason: z.string(), count: z.int(), example: relatedSchema }))
    .describe('Why components could not be bound, the most frequent reason first.'),
  outside: z
    .array(z.object({ table: tableSchema, reads: z.int(), isKnown: z.boolean() }))
    .describe(
      'Tables that no pipeline creates, with their reads. `isKnown`: a test or a file of schemas has its columns.',
    ),
});
