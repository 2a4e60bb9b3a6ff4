import { z } from 'zod';
import { durationSchema } from '../fields/duration-schema.ts';
import { globSchema, nameSchema } from '../fields/field-types.ts';
import { gatesSchema } from './gates-schema.ts';
import { type VersionRule, versionsSchema } from './versions-schema.ts';

const scalar = z
  .union([z.string(), z.number(), z.boolean()], {
    error: 'must be a single value: text, a number, true or false',
  })
  .transform(String);

const verificationSchema = z.strictObject({
  pipeline: nameSchema.describe('Path of the published pipeline, with or without its suffix.'),
  timeout: durationSchema.prefault('1h').describe('Maximum duration of the execution.'),
  variables: z.record(nameSchema, scalar).default({}).describe('Scalar variables of the execution.'),
});

/** A pipeline that must succeed after a promotion. Times in milliseconds. */
export type Verification = z.output<typeof verificationSchema>;

const pushSchema = z
  .strictObject({
    branches: z.array(globSchema).default([]).describe('Branches whose pushes start the lane.'),
    tags: z.array(globSchema).default([]).describe('Tags whose pushes start the lane.'),
  })
  .refine(({ branches, tags }) => branches.length + tags.length > 0, { error: 'needs `branches` or `tags`' });

/** Whether a lane promotes any version. */
const isUnlimited = ({ allow, prereleases, order }: VersionRule): boolean =>
  allow === undefined && prereleases && order !== 'semantic';

/** A lane, which promotes versions from one environment to another. Exactly one of `on` and `after` starts it. */
export const laneSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
        error: 'must be a short name of a-z, 0-9, dot, underscore and hyphen',
      })
      .describe('Name of the lane, unique in the file.'),
    on: z.strictObject({ push: pushSchema }).optional().describe('The event that starts the lane.'),
    after: z.string().optional().describe('The lane whose verified versions start this lane.'),
    from: nameSchema.describe('The source environment.'),
    to: nameSchema.describe('The target environment.'),
    version: nameSchema
      .optional()
      .describe(
        'tag | commit (newest enabled artifact of the pushed commit in `from`) | latest | a literal version.',
      ),
    versions: versionsSchema
      .prefault({})
      .describe(
        'Which versions the lane promotes, and in which order; for lanes that tags start, and with `after`.',
      ),
    policy: z
      .enum(['latest', 'every', 'cancel'])
      .default('latest')
      .describe(
        'Several pushes: latest (the newest wins) | every (first in, first out) | cancel (the running promotion).',
      ),
    verify: z
      .array(verificationSchema)
      .default([])
      .describe('Pipelines to run in `to`, one after the other.'),
    'on-failure': z
      .enum(['rollback', 'hold'])
      .default('hold')
      .describe('Action after a failed verification.'),
    'on-conflict': z
      .enum(['wait', 'fail', 'skip'])
      .default('wait')
      .describe(
        'If an execution with the lane’s tag is running: wait for its end | fail | skip the verification.',
      ),
    limits: z
      .strictObject({
        queue: durationSchema
          .optional()
          .describe('Maximum time that a promotion waits for its lane. Default: no limit.'),
        step: durationSchema
          .optional()
          .describe(
            'Maximum time that a step waits for an artifact, a failing platform (30m), a busy tag (the timeout of the verification), or the end of a terminated execution (10m).',
          ),
        promotion: durationSchema
          .optional()
          .describe(
            'Maximum duration of a promotion from the time when it gets its lane, including waits at gates.',
          ),
      })
      .prefault({})
      .describe('Time limits.'),
    gates: gatesSchema.prefault({}).describe('Conditions before a promotion.'),
  })
  .refine(({ on, after }) => (on === undefined) !== (after === undefined), {
    error:
      'needs either `on` (the pushes that start the lane) or `after` (the lane that it follows), but not both',
  })
  .refine(({ after, version }) => after === undefined || version === undefined, {
    path: ['version'],
    error:
      'cannot be combined with `after`, because such a lane promotes the version that the previous lane verified; remove it',
  })
  .refine(({ version, on }) => version !== 'tag' || (on?.push.branches ?? []).length === 0, {
    path: ['version'],
    error: 'cannot be `tag` in a lane that starts on pushes to branches; use `commit`',
  })
  .refine(
    ({ versions, version, on }) =>
      isUnlimited(versions) ||
      on === undefined ||
      (on.push.branches.length === 0 && version !== 'commit' && version !== 'latest'),
    {
      path: ['versions'],
      error:
        'works only in a lane that starts on tags alone or has `after`, and without `version: commit` or `version: latest`',
    },
  )
  .transform(({ 'on-failure': onFailure, 'on-conflict': onConflict, on, version, ...lane }) => ({
    ...lane,
    onFailure,
    onConflict,
    on: on?.push,
    /** `tag`, `commit`, `latest` or a literal; undefined in a lane with `after`. */
    version: on === undefined ? undefined : (version ?? (on.push.branches.length === 0 ? 'tag' : 'commit')),
  }));

export type Lane = z.output<typeof laneSchema>;
