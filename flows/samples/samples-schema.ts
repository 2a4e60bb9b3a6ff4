import { z } from 'zod';
import { nameSchema } from '../pipeline-tests/outside/schema-parts.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a single value: text, a number, true or false',
});
const valueSchema = z.union([
  scalarSchema,
  z.array(z.array(scalarSchema, { error: 'must be a row of the grid, such as [a, b]' })),
]);

const runSchema = z.union([
  nameSchema,
  z.strictObject({
    pipeline: nameSchema.describe('Path from the root of the project; the suffix is optional.'),
    variables: z
      .record(nameSchema, valueSchema)
      .optional()
      .describe('Values for variables of the pipeline; grids as lists of rows.'),
  }),
]);

/** `samples.yaml` in a folder of samples; docs/schemas/samples.schema.json is made from it. */
export const samplesFileSchema = z.strictObject({
  tables: z
    .record(nameSchema, nameSchema, {
      error: 'must be a map of files to tables, such as { o.parquet: orders }',
    })
    .optional()
    .describe(
      'The table of a Parquet file, or of a folder of Parquet files. Default: the name of the file without .parquet.',
    ),
  keys: z
    .record(nameSchema, z.array(nameSchema).min(1), {
      error: 'must be a map of tables to their keys, such as { orders: [id] }',
    })
    .optional()
    .describe('By table that pipelines write: the columns that identify a row.'),
  run: z
    .array(runSchema)
    .min(1)
    .optional()
    .describe(
      'The pipelines to run, in this order. Default: those that the change affects and that read a sample.',
    ),
  clock: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The time at which pipelines start; default: 2026-01-01T00:00:00Z.'),
});
