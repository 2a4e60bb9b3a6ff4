import { z } from 'zod';
import { globSchema, nameSchema, projectIdSchema, projectPathSchema } from './field-types.ts';
import { laneSchema } from './lane-schema.ts';
import { placeholders } from './release-version.ts';
import { reviewSchema } from './review-schema.ts';

const defaultInclude = ['**/*.orch.yaml', '**/*.tran.yaml', '**/*.sql', '**/*.py'];

const filesSchema = z.strictObject({
  include: z
    .array(globSchema)
    .min(1)
    .default(defaultInclude)
    .describe('Files of the artifact: git-tracked ones only.'),
  exclude: z.array(globSchema).default([]).describe('Files that stay out although they are included.'),
});

const releaseSchema = z.strictObject({
  tag: globSchema.default('v*').describe('Tags that are released.'),
  version: nameSchema
    .refine((pattern) => placeholders(pattern).every(({ known }) => known), {
      error: 'may hold {tag}, {*} (what the star of `tag` stands for), {commit} and {short-commit}',
    })
    .default('{tag}')
    .describe('The version name, made from {tag}, {*}, {commit}, {short-commit}.'),
  environment: nameSchema.optional().describe('The environment that the artifact is published to.'),
  shared: z
    .strictObject({ prefix: nameSchema.describe('sharedPipelineIdPrefix (spec §2.11).') })
    .optional()
    .describe('Publish the shared pipelines too.'),
});

/** `millrace.yaml`. It never holds an address, a secret or a command; `worker.yaml` bounds what it may ask for. */
export const projectSchema = z
  .strictObject({
    version: z.literal(1).describe('Version of this file’s form.'),
    project: projectIdSchema.optional(),
    environments: z.array(nameSchema).default([]).describe('Environments from the first to the last.'),
    'config-dir': projectPathSchema
      .default('.platform')
      .describe('Folder of the rules file and shared-pipelines.yaml.'),
    files: filesSchema.prefault({}),
    review: reviewSchema.prefault({}),
    release: releaseSchema.prefault({}),
    lanes: z
      .array(laneSchema)
      .default([])
      .describe('Ways from environment to environment, run by the worker.'),
  })
  .transform(({ 'config-dir': configDir, ...config }) => ({ ...config, configDir }));

/** `millrace.yaml` as read: defaults filled in, keys in camel case, times in milliseconds. */
export type ProjectConfig = z.output<typeof projectSchema>;
