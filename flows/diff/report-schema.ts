import { z } from 'zod';

/** A place in a file of the project. */
export const placeSchema = z.object({ file: z.string(), line: z.int().min(1), column: z.int().min(1) });
const row = z.record(z.string(), z.json());

/** A row that differs. */
export const rowChangeSchema = z.object({ before: row.optional(), after: row.optional() });

/** The numbers of rows of a table that differ. */
export const rowCounts = {
  added: z.int().describe('Rows that only the new side has.'),
  removed: z.int().describe('Rows that only the base has.'),
  changed: z.int().describe('Rows with the same key and other values.'),
};

const counts = {
  ...rowCounts,
  cells: z.record(z.string(), z.int()).describe('By column: the number of changed rows that differ in it.'),
};
const end = z.object({
  status: z.enum(['success', 'failure']),
  component: z.string().optional().describe('The component that failed first.'),
  message: z.string().optional(),
  isUnexpected: z
    .boolean()
    .optional()
    .describe('The test expects the pipeline to end in another way. Only in `after`.'),
});

const componentSchema = z.object({ component: z.string(), at: placeSchema });

/** A table that differs, and how its rows were compared. */
export const tableHeadSchema = {
  table: z.string().describe('Without database and schema where they are the defaults.'),
  kind: z.enum(['created', 'removed', 'changed']),
  key: z
    .array(z.string())
    .describe('Columns that identify a row on both sides; empty: no row counts as changed.'),
  unknown: z.string().optional().describe('Why the rows could not be compared; the counts are 0 then.'),
  component: z.string().optional().describe('The component that wrote the table last.'),
  at: placeSchema.optional().describe('Where that component is.'),
};

const { table, kind, key, ...tableWriter } = tableHeadSchema;

const tableSchema = z.object({
  table,
  kind,
  key,
  lostKey: z
    .object({ columns: z.array(z.string()), values: z.array(z.json()), rows: z.int() })
    .optional()
    .describe(
      'A column named like a key that was unique before: the first value that several rows have now.',
    ),
  ...counts,
  columns: z
    .array(
      z.object({
        name: z.string(),
        before: z.string().optional().describe('The type at the base; absent: the column is new.'),
        after: z.string().optional().describe('The type now; absent: the column is gone.'),
        renamedFrom: z.string().optional().describe('The old name of a column with the same values.'),
        values: z.array(z.json()).optional().describe('The first different values of a new column.'),
        nulls: z.int().optional().describe('Rows without a value in a new column.'),
      }),
    )
    .describe('Columns that are new or gone, or that have another type.'),
  rows: z.array(rowChangeSchema).describe('At most 200. A changed row has its key and what differs.'),
  ...tableWriter,
});

/** The schema of what `millrace diff --json` prints; docs/schemas/commands/diff.schema.json is made from it. */
export const dataDiffSchema = z.object({
  base: z.object({
    name: z.string().describe('As given.'),
    commit: z.string().describe('The commit that was compared with.'),
    isFork: z.boolean().describe('The commit is where the branch left `name`.'),
  }),
  isSame: z.boolean().describe('No file of the project differs from the base, so that no test ran.'),
  isPartial: z.boolean().describe('Only some tests of the project were chosen.'),
  tests: z.int(),
  compared: z.int().describe('Tests that read what has changed, so that they ran on both sides.'),
  leftOut: z
    .int()
    .optional()
    .describe(
      'With `--affected`: how many further tests did not run, because nothing that they read changed.',
    ),
  tables: z
    .array(
      z.object({
        table: z.string(),
        tests: z.int(),
        ...counts,
        columns: z.array(z.string()).describe('As text, such as `new column AMOUNT`.'),
      }),
    )
    .describe('The sums of all tests.'),
  changes: z
    .array(
      z.object({
        file: z.string().describe('The test file, relative to the project.'),
        line: z.int().min(1),
        name: z.string(),
        pipeline: z.string().describe('Path of the pipeline’s file.'),
        status: z
          .enum(['changed', 'new-pipeline', 'not-compared'])
          .describe('`new-pipeline`: compared with the given tables, unless it fails.'),
        end: z
          .object({ before: end.optional().describe('Absent: the pipeline is new.'), after: end })
          .optional()
          .describe(
            'If the pipeline ends in another way, also for another reason, or not as its test expects.',
          ),
        rowsAtBase: z
          .enum(['same', 'own'])
          .describe('`own`: the old pipeline ran on the rows that the test had at the base.'),
        stopped: z.array(componentSchema).describe('Components of both sides that ran only before.'),
        started: z.array(componentSchema).describe('Components of both sides that run only now.'),
        tables: z.array(tableSchema).describe('In the order in which they are written.'),
        equalTables: z.int(),
        reason: z.string().optional().describe('Why a test could not be compared.'),
      }),
    )
    .describe('Tests with changes, and those that could not be compared, in the order of the files.'),
  untested: z
    .array(
      z.object({
        file: z.string(),
        change: z.enum(['added', 'changed', 'deleted']),
        component: z.string().optional().describe('If tests run the pipeline, but not this component.'),
        line: z.int().optional(),
        isMocked: z.boolean().optional().describe('A test mocks the component.'),
        isSubmodule: z
          .boolean()
          .optional()
          .describe('A submodule: its files are those on disk on both sides.'),
      }),
    )
    .describe('What changed and no test runs: nothing is known about its data.'),
  rows: z
    .array(
      z.object({
        pipeline: z.string(),
        status: z
          .enum(['found', 'none-found', 'not-searched'])
          .describe('`none-found`: the change may have no effect. `not-searched`: the time was used up.'),
        test: z
          .object({ file: z.string(), line: z.int().min(1), name: z.string() })
          .optional()
          .describe('The test whose variables and mocks the search took.'),
        given: z
          .array(z.object({ table: z.string(), rows: z.array(z.record(z.string(), z.string().nullable())) }))
          .optional()
          .describe('The rows of all inputs; values as texts.'),
        tables: z.array(tableSchema).optional().describe('What differs with these rows.'),
        isOtherEnd: z.boolean().optional().describe('Only one of the two versions succeeds with these rows.'),
      }),
    )
    .optional()
    .describe(
      'With `--find-rows`: whether other rows show a difference, for pipelines whose tests show none.',
    ),
  problems: z
    .array(placeSchema.extend({ message: z.string() }))
    .optional()
    .describe('Errors in test files, fixtures and pipelines; the exit code is then 2.'),
});
