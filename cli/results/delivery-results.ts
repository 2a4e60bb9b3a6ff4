import * as z from 'zod';
import type { DriftReport } from '../../flows/drift/drift.ts';
import type { Plan } from '../../flows/plan/plan.ts';
import { planSchema } from '../../flows/plan/report/plan-schema.ts';
import type { PromoteReport } from '../../flows/promote/promote.ts';
import type { StateBefore } from '../../flows/promote/state-before.ts';
import type { ProvisionReport } from '../../flows/provision/provision.ts';
import type { PublishReport } from '../../flows/publish/publish.ts';
import type { PublishSharedReport } from '../../flows/publish/publish-shared.ts';
import type { SharedRollbackReport } from '../../flows/rollback/roll-back-shared.ts';
import type { RollbackReport } from '../../flows/rollback/rollback.ts';
import type { RunReport } from '../../flows/run/run.ts';
import type { ApplyStreamingReport } from '../../flows/streaming/apply-streaming.ts';
import type { CommandReport } from '../../flows/streaming/command-streaming.ts';
import type { VariablesReport } from '../../flows/variables/apply-variables.ts';
import { covers } from './covers.ts';
import { sentFiles as files } from './evidence-results.ts';
import { versionChoices } from './version-choices.ts';

const texts = z.array(z.string());
const dryRun = z.boolean().describe('Nothing was changed.');
const ignored = z.array(z.object({ name: z.string(), reason: z.string() }));
const unchecked = texts.optional().describe('What a dry run without the platform could not check.');
const removedIds = z
  .array(z.object({ id: z.string(), version: z.string(), renamedTo: z.string().optional() }))
  .describe('Shared pipelines that other projects call and that this version lacks.');
const warnings = texts
  .optional()
  .describe('The version is older than the one that was live, or could not be compared with it.');
const doneOrAlready = z.enum(['passed', 'already-done']);

export const publishResult = covers(
  z.object({
    outcome: doneOrAlready,
    version: z.string(),
    environment: z.string(),
    commit: z.string(),
    files,
    ignored,
    dryRun,
    unchecked,
    warnings,
  }),
)<PublishReport>();

export const publishSharedResult = covers(
  z.object({
    outcome: doneOrAlready,
    prefix: z.string(),
    version: z.string(),
    commit: z.string(),
    sharedPipelines: texts,
    files,
    ignored,
    removedIds,
    disabled: texts.describe('Older versions that `--keep-enabled` disabled.'),
    dryRun,
    unchecked,
    warnings,
  }),
)<PublishSharedReport>();

export const planResult = covers(planSchema)<Plan>();

export const promoteResult = covers(
  z.object({
    outcome: doneOrAlready,
    version: z.string(),
    from: z.string(),
    to: z.string(),
    live: z.string().optional().describe('The live version of the target afterwards, if it could be read.'),
    dryRun,
    warnings,
    before: z
      .object({
        version: z.string(),
        from: z.string(),
        to: z.string(),
        now: z.string().optional().describe('The live version of the target before the promotion.'),
        missingOverrides: texts.describe(
          'Variables that have their own value in the source but not in the target, so that the default applies there.',
        ),
      })
      .describe('The state of the target before the promotion.'),
  }),
)<PromoteReport & { readonly before: StateBefore }>();

const refreshedLanes = texts.optional().describe('Lanes that a worker was asked to refresh.');

export const rollbackResult = covers(
  z.object({
    outcome: doneOrAlready,
    environment: z.string(),
    disabled: z.string(),
    alsoDisabled: texts.describe('Enabled versions between the two, disabled too.'),
    live: z.string().describe('The version that executions without a version name use afterwards.'),
    dryRun,
    choices: versionChoices,
    refreshedLanes,
  }),
)<RollbackReport>();

export const sharedRollbackResult = covers(
  z.object({
    outcome: doneOrAlready,
    prefix: z.string(),
    disabled: z.string(),
    live: z.string().describe('The version that `[Latest]` refers to afterwards.'),
    removedIds,
    dryRun,
    refreshedLanes,
  }),
)<SharedRollbackReport>();

export const runResult = covers(
  z.object({
    outcome: z.enum(['passed', 'failed', 'cancelled', 'nothing-to-do', 'indeterminate']),
    pipeline: z.string().optional(),
    environment: z.string().optional(),
    tag: z.string().optional(),
    executionId: z.string().optional(),
    status: z.string().optional().describe('The last known status of the execution.'),
    message: z.string().optional(),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    timedOut: z.boolean(),
    terminated: z.boolean().describe('Millrace terminated the execution.'),
    problem: z.string().optional().describe('Why the outcome is `indeterminate`.'),
    hint: z.string().optional(),
    dryRun,
  }),
)<RunReport>();

export const driftResult = covers(
  z.object({
    outcome: z.enum(['passed', 'failed']),
    newest: z.string().optional().describe('The newest released version.'),
    environments: z.array(
      z.object({
        environment: z.string(),
        exists: z.boolean(),
        live: z.string().optional(),
        behind: z.int().optional().describe('Number of released versions newer than the live one.'),
        versions: z.array(
          z.object({
            version: z.string(),
            enabled: z.boolean(),
            commit: z.string().optional(),
            tagged: z.enum(['yes', 'unknown', 'other-commit']),
          }),
        ),
      }),
    ),
  }),
)<DriftReport>();

export const provisionResult = covers(
  z.object({
    outcome: z.enum(['passed', 'nothing-to-do', 'failed']),
    applied: z.boolean(),
    projectId: z.string().optional().describe('Absent if the plan would create the project.'),
    parts: z.array(
      z.object({
        kind: z.enum(['project', 'connection', 'environment', 'repository']),
        name: z.string(),
        state: z.enum(['missing', 'unseen', 'created', 'same', 'exists', 'differs', 'extra']),
        differences: z.array(
          z.object({ field: z.string(), platform: z.string().nullable(), file: z.string() }),
        ),
      }),
    ),
    warnings: texts,
  }),
)<ProvisionReport>();

const value = z.union([z.string(), z.number()]);
const desiredVariable = z.object({
  type: z.enum(['TEXT', 'NUMBER']),
  behaviour: z.enum(['SHARED', 'COPIED']),
  description: z.string().optional(),
  value: value.optional(),
  supportsDoubleResolution: z.boolean().optional(),
  place: z.object({
    file: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
    input: z.string().optional(),
  }),
});
const field = z.object({
  field: z.enum(['type', 'behaviour', 'description', 'value', 'supportsDoubleResolution']),
  from: z.union([value, z.boolean()]).nullable(),
  to: z.union([value, z.boolean()]),
});
const variable = z.string();
const environment = z.string();

export const variablesResult = covers(
  z.object({
    outcome: z.enum(['passed', 'nothing-to-do', 'failed']),
    applied: z.boolean(),
    changes: z.array(
      z.union([
        z.object({ change: z.literal('create'), variable, wanted: desiredVariable }),
        z.object({ change: z.literal('update'), variable, wanted: desiredVariable, fields: z.array(field) }),
        z.object({
          change: z.literal('set-override'),
          variable,
          environment,
          from: value.nullable(),
          to: value,
        }),
        z.object({ change: z.literal('delete-override'), variable, environment, from: value }),
        z.object({ change: z.literal('delete'), variable, environments: texts }),
      ]),
    ),
    unmanaged: z
      .array(z.object({ variable, environment: environment.optional() }))
      .describe('On the platform and not in the files.'),
    failed: z.array(z.object({ variable, environment, reason: z.string() })),
  }),
)<VariablesReport>();

export const streamingApplyResult = covers(
  z.object({
    outcome: z.enum(['passed', 'nothing-to-do', 'failed']),
    dryRun,
    pipelines: z.array(
      z.object({
        name: z.string(),
        result: z.enum(['created', 'unchanged', 'differs']),
        id: z.string().optional(),
        differences: texts,
      }),
    ),
  }),
)<ApplyStreamingReport>();

const streamingOutcome = z.enum(['passed', 'already-done', 'failed', 'indeterminate']);

const simulated = z
  .literal(true)
  .optional()
  .describe('The platform says that it only simulates streaming: nothing is captured.');
const reason = z.string().optional().describe('Why a start failed, or must be tried again.');

export const streamingCommandResult = covers(
  z.object({
    outcome: streamingOutcome.describe('The worst outcome.'),
    pipelines: z.array(
      z.object({
        outcome: streamingOutcome,
        pipeline: z.string(),
        id: z.string(),
        status: z.string(),
        simulated,
        reason,
        timedOut: z.boolean(),
        problem: z.string().optional(),
        hint: z.string().optional(),
        dryRun,
      }),
    ),
  }),
)<CommandReport>();

export const streamingStatusResult = z.object({
  outcome: z.literal('passed'),
  pipelines: z.array(
    z.object({
      pipeline: z.string(),
      id: z.string(),
      status: z.string(),
      simulated,
      reason,
      lag: z
        .object({ bytes: z.number(), seconds: z.number() })
        .optional()
        .describe('How far the target is behind the source.'),
      warning: z.string().optional().describe('What happens in the source if the pipeline stays as it is.'),
    }),
  ),
});
