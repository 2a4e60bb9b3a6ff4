import { z } from 'zod';
import { durationSchema } from './duration.ts';
import { globSchema, nameSchema } from './field-types.ts';
import { gatesSchema } from './gates-schema.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const verificationSchema = z.strictObject({
  pipeline: nameSchema.describe('Path of the published pipeline, with or without its suffix.'),
  timeout: durationSchema.prefault('1h').describe('How long the execution may take.'),
  variables: z.record(nameSchema, scalar).default({}).describe('Scalar variables for the execution.'),
});

/** A pipeline that must end in success after a promotion. Times in milliseconds. */
export type Verification = z.output<typeof verificationSchema>;

const pushSchema = z
  .strictObject({
    branches: z.array(globSchema).default([]).describe('Branches whose pushes start the lane.'),
    tags: z.array(globSchema).default([]).describe('Tags whose pushes start the lane.'),
  })
  .refine(({ branches, tags }) => branches.length + tags.length > 0, { error: 'needs `branches` or `tags`' });

/** One way from an environment to the next; exactly one of `on` and `after` starts it. */
export const laneSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
        error: 'must be a short name of a-z, 0-9, dot, underscore and hyphen',
      })
      .describe('Name of the lane, unique in the file.'),
    on: z.strictObject({ push: pushSchema }).optional().describe('The event that starts the lane.'),
    after: z.string().optional().describe('The lane whose verified versions this one takes on.'),
    from: nameSchema.describe('The environment whose version is promoted.'),
    to: nameSchema.describe('The environment to promote to.'),
    version: nameSchema
      .optional()
      .describe(
        'tag | commit (newest enabled artifact in `from` of the pushed commit) | latest | a literal version.',
      ),
    policy: z
      .enum(['latest', 'every', 'cancel'])
      .default('latest')
      .describe(
        'Several pushes: latest (newest wins) | every (first in, first out) | cancel (the running one).',
      ),
    verify: z
      .array(verificationSchema)
      .default([])
      .describe('Pipelines that are run in `to`, one after the other.'),
    'on-failure': z
      .enum(['rollback', 'hold'])
      .default('hold')
      .describe('What happens when a verification fails.'),
    'on-conflict': z
      .enum(['wait', 'fail', 'skip'])
      .default('wait')
      .describe(
        'When an execution with the lane’s tag is running: wait for its end | fail | skip the verification.',
      ),
    limits: z
      .strictObject({
        queue: durationSchema
          .optional()
          .describe('How long a promotion may wait for its lane; without limit if absent.'),
        step: durationSchema
          .optional()
          .describe(
            'How long a step may wait: for an artifact, a failing platform (30m), a busy tag (its timeout), the end of what was terminated (10m).',
          ),
        promotion: durationSchema
          .optional()
          .describe('How long a promotion may take once it has its lane, waiting at gates included.'),
      })
      .prefault({})
      .describe('Time limits.'),
    gates: gatesSchema.prefault({}).describe('What must hold before anything is promoted.'),
  })
  .refine(({ on, after }) => (on === undefined) !== (after === undefined), {
    error: 'needs exactly one of `on` and `after`',
  })
  .refine(({ after, version }) => after === undefined || version === undefined, {
    path: ['version'],
    error: 'has no place beside `after`: the version is the one that the lane before has verified',
  })
  .refine(({ version, on }) => version !== 'tag' || (on?.push.branches ?? []).length === 0, {
    path: ['version'],
    error: 'cannot be `tag` in a lane that pushes to branches start; use `commit`',
  })
  .transform(({ 'on-failure': onFailure, 'on-conflict': onConflict, on, version, ...lane }) => ({
    ...lane,
    onFailure,
    onConflict,
    on: on?.push,
    /** `tag`, `commit`, `latest` or a literal; undefined in a lane that comes `after` another. */
    version: on === undefined ? undefined : (version ?? (on.push.branches.length === 0 ? 'tag' : 'commit')),
  }));

export type Lane = z.output<typeof laneSchema>;
