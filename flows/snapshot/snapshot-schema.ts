import * as z from 'zod';
import { type Snapshot, snapshotFormat, writeModes } from './snapshot.ts';

const text = z.string();
const texts = z.array(text);
const line = z.int().min(1);
const yes = z.literal(true).optional();
const name = z.tuple([text, text, text]);
const use = { table: text, component: text, line, file: text.optional() };

const pipeline = z.object({
  path: text,
  digest: text,
  line,
  unreadable: z.object({ line, column: line, message: text }).optional(),
  components: z.array(
    z.object({ name: text, type: text, line, digest: text, rank: z.int().min(0).optional(), marks: text }),
  ),
  variables: z.array(z.object({ name: text, line, digest: text })),
  uses: texts,
  connectors: texts,
  calls: z.array(
    z.object({
      component: text,
      line,
      kind: z.enum(['orchestration', 'transformation', 'shared']),
      target: text,
      version: text.optional(),
      path: text.optional(),
      dynamic: yes,
      own: yes,
      result: yes,
      fromData: yes,
      fromVariables: yes,
      context: text,
    }),
  ),
  scripts: z.array(z.object({ component: text, line, path: text, open: yes, sql: yes })),
  reads: z.array(z.object({ ...use, columns: texts, all: yes, unbound: yes })),
  writes: z.array(z.object({ ...use, mode: z.enum(writeModes) })),
  open: z.array(z.object({ name, component: text, line, effect: z.enum(['read', 'write']) })),
  unknown: z.array(
    z.object({
      component: text,
      line,
      file: text.optional(),
      reason: text,
      tables: texts,
      after: yes,
    }),
  ),
  parts: z.array(
    z.object({
      component: text,
      line,
      words: texts,
      open: texts,
      writes: z.array(z.object({ words: texts, any: yes })),
    }),
  ),
  defines: z.array(z.object({ key: text, name: text })),
  objects: z.array(z.object({ key: text, line })),
});

const table = z.object({
  name,
  definitions: z.array(
    z.object({
      pipeline: text,
      component: text,
      line,
      file: text.optional(),
      mode: z.enum(['define', 'alter']),
      digest: text.optional(),
      streaming: yes,
    }),
  ),
  columns: z.array(z.tuple([text, text])).optional(),
  complete: yes,
  typed: yes,
  mentioned: yes,
  declared: z.object({ file: text, digest: text }).optional(),
});

/** The schema of a snapshot as JSON. Fields that this version does not know are left out. */
export const snapshotSchema: z.ZodType<Snapshot> = z.object({
  format: z.literal(snapshotFormat).describe('The version of the form.'),
  warehouse: text,
  columns: z
    .enum(['known', 'unknown'])
    .describe('`unknown`: only names of tables are known, because DuckDB was not installed.'),
  defaults: z.object({ database: text, schema: text }),
  pipelines: z.array(pipeline),
  leftOut: texts.describe('Pipelines that `files` in millrace.yaml leaves out.'),
  tables: z.array(table),
  files: z.array(z.object({ path: text, digest: text })).describe('Scripts that components run.'),
  streaming: z.array(z.object({ file: text, line, digest: text, tables: texts })),
  shared: z
    .object({
      prefix: text,
      pipelines: z.array(z.object({ id: text, pipeline: text, path: text.optional() })),
    })
    .optional()
    .describe('The shared pipelines that the project publishes.'),
  unread: texts.describe('What is not known of the files of the project: one sentence each.'),
});
