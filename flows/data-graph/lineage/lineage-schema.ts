import { z } from 'zod';

const tableSchema = z.object({ database: z.string(), schema: z.string(), table: z.string() });
const position = z.int().min(1);
const placeSchema = z.object({
  pipeline: z.string(),
  component: z.string(),
  file: z.string().describe('Relative to the project.'),
  line: position,
  column: position,
});
const id = z.string().describe('The `id` of a column.');

/** The schema of what `millrace lineage --json` prints. */
export const lineageReportSchema = z.object({
  table: tableSchema,
  column: z.string().optional().describe('Left out for all columns of the table.'),
  columns: z
    .array(
      tableSchema.extend({
        id: z.string().describe('The whole name, with quotes where SQL needs them.'),
        column: z.string(),
        isOutside: z.boolean().describe('No pipeline of the project creates the table or writes the column.'),
        unknown: z
          .array(z.object({ reason: z.string(), writer: placeSchema.optional() }))
          .describe('Why the column may come from elsewhere, too.'),
      }),
    )
    .describe(
      'All columns of the lineage; first the column, or the columns of the table, that was asked for.',
    ),
  links: z
    .array(
      z.object({
        from: id.optional().describe('Left out for values that come from no column, such as constants.'),
        to: id,
        use: z
          .enum(['copied', 'computed', 'aggregated'])
          .describe('Unchanged or cast; computed within a row; computed over several rows.'),
        mode: z
          .enum(['define', 'alter', 'insert', 'change', 'drop'])
          .describe('What the writer does with the table.'),
        writer: placeSchema,
        computedIn: z.array(placeSchema).describe('The components that compute the value, in their order.'),
      }),
    )
    .describe('Components that put values of one column into another.'),
  decisions: z
    .array(
      z.object({
        from: id,
        to: z.string().describe('The name of the table whose rows it chooses, or the `id` of a column.'),
        about: z.enum(['rows', 'values']),
        writer: placeSchema,
      }),
    )
    .describe('Columns that only choose rows or values, by filters, joins, groups, orders and windows.'),
  reads: z
    .array(
      z.object({
        from: id,
        reader: placeSchema,
        unknown: z
          .string()
          .optional()
          .describe('Why it is not known what the component does with the column.'),
      }),
    )
    .describe('Components that use a column and put it into no table.'),
  unnamed: z
    .array(z.object({ variable: z.string().optional(), user: placeSchema }))
    .describe(
      'Components of the project that use a table whose name depends on a variable without a known value: it may be one of these. Without a variable, they run SQL that is known only at run time.',
    ),
  writes: z
    .object({ known: z.int(), total: z.int() })
    .describe('How many components of the project write a table, and of how many all sources are known.'),
});
