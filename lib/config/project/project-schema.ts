import { z } from 'zod';
import { globSchema, nameSchema, projectIdSchema, projectPathSchema } from '../fields/field-types.ts';
import { callFolderOf, callsSchema } from './calls-schema.ts';
import { compileSchema } from './compile-schema.ts';
import { laneSchema } from './lane-schema.ts';
import { mutationSchema } from './mutation-schema.ts';
import { placeholders } from './release-version.ts';
import { reviewSchema } from './review-schema.ts';

const defaultInclude = ['**/*.orch.yaml', '**/*.tran.yaml', '**/*.sql', '**/*.py'];

const filesSchema = z.strictObject({
  include: z
    .array(globSchema)
    .min(1)
    .default(defaultInclude)
    .describe('Files of the artifact. Only files tracked by git count.'),
  exclude: z.array(globSchema).default([]).describe('Files to exclude from `include`.'),
});

const releaseSchema = z.strictObject({
  tag: globSchema.default('v*').describe('Tags to release.'),
  version: nameSchema
    .refine((pattern) => placeholders(pattern).every(({ isKnown }) => isKnown), {
      error:
        'may contain {tag}, {*} (the part of the tag that matches the star of `tag`), {commit} and {short-commit}',
    })
    .default('{tag}')
    .describe('The version name, built from {tag}, {*}, {commit} and {short-commit}.'),
  environment: nameSchema.optional().describe('The environment to publish the artifact to.'),
  shared: z
    .strictObject({ prefix: nameSchema.describe('sharedPipelineIdPrefix (spec §2.11).') })
    .optional()
    .describe('Publish the shared pipelines too.'),
});

/**
 * The schema of `millrace.yaml`. The file never contains an address, a secret or a command, and `worker.yaml`
 * limits what it may request.
 */
export const projectSchema = z
  .strictObject({
    version: z.literal(1).describe('Version of the file format.'),
    project: projectIdSchema.optional(),
    environments: z.array(nameSchema).default([]).describe('Environments, in the order of promotion.'),
    'config-dir': projectPathSchema
      .default('.platform')
      .describe('Folder of the rules file and of shared-pipelines.yaml.'),
    files: filesSchema.prefault({}),
    review: reviewSchema.prefault({}),
    compile: compileSchema.prefault({}).describe('What `millrace compile` reports (docs/compile.md).'),
    mutation: mutationSchema
      .prefault({})
      .describe('What `millrace test --mutate` reports (docs/testing.md).'),
    release: releaseSchema.prefault({}),
    engine: z
      .strictObject({
        warehouse: z
          .enum(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'])
          .default('WAREHOUSE_ONE')
          .describe('The kind of warehouse whose SQL the pipelines are written in.'),
      })
      .prefault({})
      .describe('How pipelines run on this machine, for `millrace test`.'),
    schemas: z
      .array(globSchema)
      .default([])
      .describe('Files with the columns of tables that no pipeline creates (docs/outside-tables.md).'),
    calls: callsSchema.prefault({}).describe('From which folder calls resolve (docs/rules.md).'),
    streaming: z
      .array(globSchema)
      .default([])
      .describe('Files that define streaming pipelines, which write tables too (docs/outside-tables.md).'),
    provision: projectPathSchema
      .optional()
      .describe(
        'The file of `millrace provision`, whose connections say what `[Environment Default]` means (docs/outside-tables.md).',
      ),
    lanes: z
      .array(laneSchema)
      .default([])
      .describe('Lanes from environment to environment, run by the worker.'),
  })
  .transform(({ 'config-dir': configDir, schemas, streaming, provision, calls, ...config }) => ({
    ...config,
    configDir,
    callFolder: callFolderOf(calls),
    outside: { schemas, streaming, provision },
  }));

/** The parsed `millrace.yaml`: with defaults, keys in camel case, times in milliseconds. */
export type ProjectConfig = z.output<typeof projectSchema>;
