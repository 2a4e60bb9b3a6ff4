import { z } from 'zod';
import { severities } from '../../../lib/core/outcomes/finding.ts';
import { compileRules } from '../../../lib/config/project/compile-schema.ts';

const position = z.int().min(1);
const placeSchema = z.object({
  file: z.string().describe('Relative to the project.'),
  line: position,
  column: position,
});
const relatedSchema = placeSchema.extend({ pipeline: z.string(), component: z.string() });
/** The name of a table. */
export const tableSchema = z.object({ database: z.string(), schema: z.string(), table: z.string() });

const findingSchema = placeSchema.extend({
  rule: z.enum(compileRules),
  severity: z.enum(severities),
  state: z.enum(['new', 'known']).describe('`known`: the baseline has it.'),
  fingerprint: z.string().describe('Stable identity without line numbers.'),
  pipeline: z.string().describe('The path of the pipeline; of a test, the pipeline that it tests.'),
  component: z.string().optional(),
  tables: z.array(tableSchema).describe('The tables that it may be about.'),
  columnName: z.string().optional(),
  subject: z.string().describe('What it is about in its component: part of its identity.'),
  message: z.string(),
  related: z
    .array(relatedSchema)
    .describe('The readers of a changed table, or the components that create a table that is read.'),
});

/** The schema of what `millrace compile --json` prints. */
export const compileReportSchema = z.object({
  findings: z
    .array(findingSchema)
    .describe('What fails in every run that reaches it, and notices, in the order of files and lines.'),
  accepted: z
    .array(
      z.object({
        rule: z.enum(compileRules).optional(),
        table: z.string().optional(),
        column: z.string().optional(),
        file: z.string().optional(),
        component: z.string().optional(),
        reason: z.string(),
        until: z.string().optional(),
        isExpired: z.boolean().describe('The entry has expired, so its findings count.'),
        isUseless: z.boolean().describe('The entry matches no finding, so it can be removed.'),
        findings: z.array(findingSchema),
      }),
    )
    .describe('The entries of `compile.accept`, with the findings that they match.'),
  nextBaseline: z
    .array(
      z.object({
        rule: z.string(),
        file: z.string(),
        component: z.string().optional(),
        subject: z.string().optional(),
        fingerprint: z.string(),
      }),
    )
    .describe('What `--update-baseline` would record.'),
  pipelines: z.int(),
  unreadable: z.int().describe('How many of the pipelines could not be read.'),
  reads: z
    .object({ bound: z.int(), total: z.int() })
    .describe('How many components read a table, and how many of these could be compiled.'),
  withoutColumns: z.literal(true).optional().describe('Only calls and tables were checked.'),
  unknown: z
    .array(z.object({ reason: z.string(), count: z.int(), example: relatedSchema }))
    .describe('Why components could not be compiled, the most frequent reason first.'),
  outside: z
    .array(z.object({ table: tableSchema, reads: z.int(), isKnown: z.boolean(), binds: z.int() }))
    .describe(
      'Tables that no pipeline creates, or only components that cannot be compiled, with their reads. `isKnown`: a test or a file of schemas has its columns. `binds`: how many more reads could be compiled at most if the table were declared, including reads of tables that are computed from it.',
    ),
});
