import { z } from 'zod';
import { placeSchema, rowChangeSchema, rowCounts, tableHeadSchema } from '../diff/report-schema.ts';

const endSchema = z.object({
  status: z.enum(['success', 'failure']),
  component: z.string().optional().describe('The component that failed first.'),
  message: z.string().optional().describe('Without values of rows, unless rows are shown.'),
});

const count = z.int().min(0);

/** The schema of what `millrace diff --given FOLDER --json` prints. */
export const sampleDiffSchema = z.object({
  base: z.object({ name: z.string(), commit: z.string(), isFork: z.boolean() }),
  isSame: z.boolean().describe('No file of the project differs from the base, so that no pipeline ran.'),
  samples: z
    .array(
      z.object({
        table: z.string(),
        files: z.array(z.string()).describe('Relative to the folder of the samples.'),
        rows: count,
        remarks: z
          .array(
            z.object({
              column: z.string(),
              what: z.enum(['missing', 'extra', 'other-type']),
              expected: z.string().optional().describe('The type that the project expects.'),
              type: z.string().optional().describe('The type in the files.'),
            }),
          )
          .describe('Columns that are not as the project expects them, and that still allow the run.'),
      }),
    )
    .describe('The tables whose rows come from Parquet files.'),
  pipelines: z
    .array(
      z.object({
        pipeline: z.string().describe('Path of the pipeline’s file.'),
        status: z.enum(['compared', 'new', 'not-compared']).describe('`new`: the base does not have it.'),
        end: z
          .object({ before: endSchema.optional().describe('Absent: the pipeline is new.'), after: endSchema })
          .optional()
          .describe('If the pipeline ends in another way.'),
        reason: z.string().optional().describe('Why the runs could not be compared.'),
        replacedLoads: z
          .array(z.object({ component: z.string(), at: placeSchema }))
          .describe('Components that did not load, because their tables have the rows of samples.'),
      }),
    )
    .describe('In the order in which they ran.'),
  tables: z
    .array(
      z.object({
        ...tableHeadSchema,
        ...rowCounts,
        rowsBefore: count,
        rowsAfter: count,
        keyFrom: z
          .enum(['given', 'declared', 'found'])
          .optional()
          .describe(
            '`given`: by samples.yaml; `declared`: by the pipelines; `found`: its values are unique.',
          ),
        brokenKey: z
          .object({
            columns: z.array(z.string()),
            from: z.enum(['given', 'declared']),
            rowsBefore: count,
            rowsAfter: count,
          })
          .optional()
          .describe('A key that does not identify a row, with the number of rows that share their key.'),
        columns: z
          .array(
            z.object({
              name: z.string(),
              before: z.string().optional().describe('The type at the base, if it differs.'),
              after: z.string().optional().describe('The type now, if it differs.'),
              renamedFrom: z.string().optional().describe('The old name of a column with the same values.'),
              changed: count.describe('Rows of both sides that differ in this column.'),
              nullsBefore: count.optional(),
              nullsAfter: count.optional(),
            }),
          )
          .describe('Columns that differ in a row, in their type or in the number of nulls.'),
        rows: z.array(rowChangeSchema).describe('Examples; empty without `--rows`.'),
      }),
    )
    .describe('Tables with changes, in the order in which they are written.'),
  equalTables: count,
  withoutSample: z.array(z.string()).describe('Tables that the pipelines read and that have no sample.'),
  changedReaders: z
    .array(z.string())
    .describe('If no pipelines were chosen: changed pipelines that read a sampled table themselves.'),
  unusedKeys: z
    .array(z.string())
    .describe('Tables with a key in samples.yaml that no pipeline wrote, or that lack a column of it.'),
  startedEmpty: z.array(z.string()).describe('Tables that pipelines add rows to, and that were empty.'),
});
