import * as z from 'zod';
import {
  affectedPipelinesSchema,
  changedPipelinesSchema,
  columnReaderSchema,
  unreadableSchema,
  usedAtSchema,
} from '../../data-graph/affected/report-affected.ts';
import { tableSchema } from '../../data-graph/compile/report-schema.ts';
import { planResults } from '../versions/compare-versions.ts';

const texts = z.array(z.string());
const line = z.int().min(1);

const version = z.object({
  version: z.string(),
  commit: z.string().optional().describe('As the platform says it; left out if it does not.'),
  publishedAt: z.string().describe('ISO 8601.'),
  since: z.string().describe('When it entered the environment, ISO 8601.'),
});

const commitList = z.object({
  count: z.int(),
  newest: z
    .array(
      z.object({
        commit: z.string(),
        author: z.string(),
        subject: z.string(),
        committedAt: z.string().describe('ISO 8601 with offset.'),
        pull: z.int().optional().describe('The number of its pull request, if the subject says it.'),
      }),
    )
    .max(50),
});

const value = z.object({
  source: z
    .enum(['own', 'default', 'none'])
    .describe('`own`: a value for this environment; `default`: the default of the variable applies.'),
  value: z
    .union([z.string(), z.number()])
    .optional()
    .describe('Only with `--show-values`; `[secret]` if the name says that the value is secret.'),
});

/** The schema of what `millrace plan --json` prints. */
export const planSchema = z.object({
  version: z.string(),
  from: z.string(),
  to: z.string(),
  result: z
    .enum(planResults)
    .describe(
      '`ready`: the version can be promoted; `already-in-target`: it is there, and a newer version is live.',
    ),
  message: z.string().describe('The result in one sentence.'),
  hint: z.string().optional().describe('How to get the version live in spite of the result.'),
  live: version
    .optional()
    .describe('The live version of the target; left out if no version is enabled there.'),
  wanted: version
    .optional()
    .describe('The version in the source, or in the target if the source lacks it; left out if both do.'),
  wayBack: z
    .string()
    .optional()
    .describe('The version that becomes live if the wanted one is rolled back; left out if there is none.'),
  commits: z
    .object({
      relation: z
        .enum(['identical', 'ahead', 'behind', 'diverged', 'unrelated'])
        .describe('`ahead`: the wanted version has all commits of the live one.'),
      added: commitList.describe('Commits that the live version lacks, the newest first.'),
      removed: commitList.describe(
        'Commits of the live version that the wanted one lacks, the newest first.',
      ),
      link: z.string().optional().describe('The page on which GitHub compares the commits.'),
    })
    .optional()
    .describe('Commits that change something in the folder of the project; left out if they are not known.'),
  pipelines: z
    .object({
      changed: changedPipelinesSchema.describe('Pipelines that do something else than in the live version.'),
      affected: affectedPipelinesSchema.describe(
        'Callers, and readers of tables that changed pipelines write; `because` leads from the pipeline to the change.',
      ),
      entryPoints: texts.describe('Changed and affected pipelines that no pipeline of the project calls.'),
      unreadable: unreadableSchema.describe('Pipelines of the wanted version that cannot be read.'),
    })
    .optional()
    .describe('Paths are relative to the project. Left out if the pipelines cannot be compared.'),
  tables: z
    .object({
      areColumnsKnown: z
        .boolean()
        .describe('Without DuckDB, only tables are known that are created or dropped.'),
      changes: z.array(
        z.object({
          table: tableSchema,
          change: z
            .enum(['created', 'dropped', 'added', 'removed', 'renamed', 'retyped'])
            .describe('`created` and `dropped`: the table; the others: a column.'),
          column: z.string().optional().describe('Of a renamed column, the name in the live version.'),
          before: z.string().optional().describe('The type in the live version, of `removed` and `retyped`.'),
          after: z
            .string()
            .optional()
            .describe(
              'The type in the wanted version, of `added` and `retyped`; of `renamed`, the new name.',
            ),
          writers: z.array(usedAtSchema),
          readers: z.array(columnReaderSchema),
        }),
      ),
      unknownColumns: z
        .array(z.object({ table: tableSchema, writers: z.array(usedAtSchema) }))
        .describe('Tables whose definition changed, and whose columns are not all known.'),
      broken: z
        .array(z.object({ file: z.string(), line, message: z.string() }))
        .describe('What worked in the live version, and cannot work in the wanted one (docs/compile.md).'),
    })
    .optional()
    .describe('Tables that pipelines create. Left out if the pipelines cannot be compared.'),
  shared: z
    .array(
      z.object({
        pipeline: z.string().describe('`prefix#id`.'),
        before: texts.describe('The versions that pipelines of the live version call, as written.'),
        after: texts.describe('The versions that pipelines of the wanted version call.'),
        latest: z.string().optional().describe('The version that `[Latest]` means now.'),
      }),
    )
    .optional()
    .describe('Shared pipelines whose called version changes, or that changed or affected pipelines call.'),
  published: z
    .object({
      prefix: z.string(),
      latest: z.string().optional().describe('The version that consumers get now.'),
      changes: z.array(
        z.object({
          pipeline: z.string().describe('`prefix#id`.'),
          change: z
            .enum(['added', 'removed', 'changed', 'affected'])
            .describe('`affected`: it is the same, and something that it uses is not.'),
        }),
      ),
    })
    .optional()
    .describe(
      'Shared pipelines of the project that are not as they were; consumers get them with `millrace publish-shared`.',
    ),
  connectors: texts.optional().describe('The connectors that changed and affected pipelines read.'),
  variables: z
    .object({
      scope: z
        .enum(['affected', 'used', 'all'])
        .describe(
          'Which variables were compared: those that changed and affected pipelines use, those that any pipeline uses, or all.',
        ),
      read: z.int().describe('Number of variables that were read, with one request each.'),
      notRead: z.int().describe('Number of further variables, which were not read.'),
      differences: z.array(
        z.object({
          variable: z.string(),
          from: value.describe('In the source.'),
          to: value.describe('In the target.'),
        }),
      ),
    })
    .optional()
    .describe(
      'Variables whose values in the two environments differ, by their names; left out if neither environment has the wanted version.',
    ),
  gates: z
    .array(
      z.object({
        lane: z.string(),
        holds: texts.describe('Why the lane is on hold or paused.'),
        promotion: z
          .object({
            id: z.string(),
            waitsFor: z.string().optional().describe('The gate that it waits at.'),
            approvals: z.object({ needed: z.int(), given: texts }).optional(),
            plan: z
              .object({
                digest: z.string().describe('Only a worker can compute it.'),
                id: z.string().describe('The first twelve digits, for `millrace approve --plan`.'),
                differs: texts.describe(
                  'What the worker’s plan says otherwise than this one; empty if it says the same, as far as both know.',
                ),
              })
              .optional()
              .describe('The plan that the worker shows for approvals; left out if it has made none.'),
          })
          .optional()
          .describe('The promotion of the version that has not ended.'),
      }),
    )
    .optional()
    .describe('What the worker says about the lanes from source to target; left out if none was asked.'),
  unknown: texts.describe('What is not known, and why: one sentence each.'),
});
