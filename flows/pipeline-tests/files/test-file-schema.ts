import { z } from 'zod';
import { columnsSchema, nameSchema } from '../outside/schema-parts.ts';
import { durationSchema } from '../../../lib/config/fields/duration-schema.ts';

/** A cell: a scalar, or a list or map if the column is semi-structured. The reader uses the text as written. */
const cellSchema = z.preprocess(
  // The numbers of YAML that JSON does not have: `.nan`, `.inf` and `-.inf`.
  (value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value),
  z.json(),
);

const rowSchema = z.record(nameSchema, cellSchema, {
  error: ({ code }) =>
    code === 'invalid_key'
      ? 'must be the name of a column, and is empty'
      : 'must be a map of columns, such as { id: 1 }',
});
const rowsSchema = z
  .array(rowSchema, { error: 'must be a list of rows, such as [{ id: 1 }], or [] for none' })
  .describe('Rows by the names of their columns; a column left out is null.');
const fileSchema = z
  .string()
  .min(1)
  .describe('A CSV, JSON or Parquet file with the rows, relative to the test file.');

const givenTableSchema = z
  .strictObject({
    columns: columnsSchema.optional(),
    rows: rowsSchema.optional(),
    file: fileSchema.optional(),
  })
  .refine(({ rows, file }) => rows === undefined || file === undefined, {
    error: 'must have `rows` or `file`, not both',
  })
  .refine(({ rows, file, columns }) => rows !== undefined || file !== undefined || columns !== undefined, {
    error: 'must have `rows`, `file` or `columns`',
  });

const tablesSchema = z.record(nameSchema, givenTableSchema, {
  error: 'must be a map of tables by their names',
});

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a single value: text, a number, true or false',
});
const gridRowSchema = z.array(scalarSchema, { error: 'must be a row of the grid, such as [a, b]' });
const valueSchema = z.union([scalarSchema, z.array(gridRowSchema)], {
  error: 'must be a single value, or for a grid a list of rows such as [[a, b]]',
});
const variablesSchema = z.record(nameSchema, valueSchema);

const mockSchema = z.strictObject({
  outcome: z.enum(['success', 'failure']).optional().describe('How the component ends; default: success.'),
  message: z.string().optional().describe('The message of the component.'),
  tables: tablesSchema.optional().describe('Rows that the component adds to tables.'),
  output: givenTableSchema.optional().describe('The whole output of a component of a transformation.'),
  condition: z.boolean().optional().describe('The answer of an `if`.'),
  variables: variablesSchema
    .optional()
    .describe('Variables that the component sets; grids as lists of rows.'),
  rows: rowsSchema
    .optional()
    .describe('Rows of the target table of the component, or the rounds of an iterator.'),
});

const expectedTableSchema = z
  .strictObject({
    rows: rowsSchema.optional().describe('The whole table, in any order; only the columns named here count.'),
    file: fileSchema.optional(),
    count: z.int().min(0).optional().describe('Number of rows.'),
    ordered: z.boolean().optional().describe('Whether the rows are compared in order of insertion.'),
    tolerance: z.number().min(0).optional().describe('Largest difference at which two numbers are equal.'),
  })
  .refine(({ rows, file }) => rows === undefined || file === undefined, {
    error: 'must have `rows` or `file`, not both',
  })
  .refine(({ rows, file, count }) => rows !== undefined || file !== undefined || count !== undefined, {
    error: 'must have `rows`, `file` or `count`',
  })
  // No column would be compared.
  .refine(({ rows = [] }) => rows.length === 0 || rows.some((row) => Object.keys(row).length > 0), {
    error: 'has rows without columns: name at least one column, or use `count`',
    path: ['rows'],
  })
  .refine(
    ({ rows, file, count, ordered, tolerance }) => {
      // Without any of them, the refinement before says what is missing.
      const countOnly = rows === undefined && file === undefined && count !== undefined;
      return !countOnly || (ordered === undefined && tolerance === undefined);
    },
    {
      error: 'has `ordered` or `tolerance`, which need `rows` or `file`',
    },
  );

const failureSchema = z.strictObject({
  failure: z.strictObject({
    component: nameSchema
      .optional()
      .describe('The component that failed first; `pipeline path#Component` in a called pipeline.'),
    message: nameSchema.optional().describe('A part of its message.'),
  }),
});

const componentsSchema = z.array(nameSchema, {
  error: 'must be a list of components, such as [Load Files]',
});

const expectSchema = z
  .strictObject({
    outcome: z
      .union([z.literal('success'), failureSchema], {
        error: 'must be `success` or `{ failure: { component: …, message: … } }`',
      })
      .optional()
      .describe('Default: success.'),
    tables: z
      .record(
        nameSchema,
        z.union([z.literal('absent'), expectedTableSchema], {
          error: 'must be `absent`, or a map with `rows`, `file` or `count`',
        }),
        { error: 'must be a map of tables by their names' },
      )
      .optional(),
    variables: variablesSchema.optional().describe('Variables of the pipeline after the run.'),
    ran: componentsSchema.optional().describe('Components that must have run.'),
    'not-ran': componentsSchema.optional().describe('Components that must not have run.'),
  })
  .refine((expected) => Object.values(expected).some(saysSomething), {
    error: 'is empty: a test without an expectation proves nothing',
  });

function saysSomething(part: unknown): boolean {
  return typeof part === 'object' && part !== null ? Object.keys(part).length > 0 : part !== undefined;
}

const testSchema = z.strictObject({
  name: nameSchema.describe('What the pipeline is expected to do; unique in the file.'),
  variables: variablesSchema
    .optional()
    .describe('Values for variables of the pipeline; grids as lists of rows.'),
  clock: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The time at which the pipeline starts; default: 2026-01-01T00:00:00Z.'),
  timeout: durationSchema.optional().describe('Default: 60s.'),
  given: tablesSchema.optional().describe('Tables before the run.'),
  mock: z
    .record(nameSchema, mockSchema)
    .optional()
    .describe('What replaces components, by name; `pipeline path#Component` in called pipelines.'),
  expect: expectSchema,
});

/** A `*.test.yaml` file; docs/schemas/test.schema.json is made from it. */
export const testFileSchema = z.strictObject({
  pipeline: nameSchema.describe('Path from the root of the project; the suffix is optional.'),
  schemas: z
    .string()
    .min(1)
    .optional()
    .describe('A YAML file with the columns of tables, relative to this file.'),
  tests: z.array(testSchema).min(1),
});

export type WrittenTestFile = z.output<typeof testFileSchema>;
export type WrittenTest = WrittenTestFile['tests'][number];
export type WrittenTable = z.output<typeof givenTableSchema>;
