import { z } from 'zod';
import type { Permission } from '../state/state.ts';

/**
 * The mutations that the product uses, as GitHub's public schema describes them: names and types of the inputs, defaults,
 * enumerations, and what may be selected of the answers. `createCommitStatus` does not exist.
 */
const id = z.string().min(1);
const uri = z.url();
const time = z.iso.datetime();
const requestableStatus = z.enum(['COMPLETED', 'IN_PROGRESS', 'PENDING', 'QUEUED', 'WAITING']);
const conclusion = z.enum([
  'ACTION_REQUIRED',
  'CANCELLED',
  'FAILURE',
  'NEUTRAL',
  'SKIPPED',
  'STALE',
  'STARTUP_FAILURE',
  'SUCCESS',
  'TIMED_OUT',
]);
const action = z.strictObject({ description: z.string(), identifier: z.string(), label: z.string() });
const output = z.strictObject({
  summary: z.string(),
  text: z.string().nullish(),
  title: z.string(),
});

const common = {
  actions: z.array(action).nullish(),
  clientMutationId: z.string().nullish(),
  completedAt: time.nullish(),
  conclusion: conclusion.nullish(),
  detailsUrl: uri.nullish(),
  externalId: z.string().nullish(),
  output: output.nullish(),
  repositoryId: id,
  startedAt: time.nullish(),
  status: requestableStatus.nullish(),
};

export const createCheckRunInput = z.strictObject({
  ...common,
  headSha: z.string().regex(/^[0-9a-f]{40}$/u),
  name: z.string(),
});
export const updateCheckRunInput = z.strictObject({
  ...common,
  checkRunId: id,
  name: z.string().nullish(),
});
export const createDeploymentStatusInput = z.strictObject({
  autoInactive: z.boolean().default(true),
  clientMutationId: z.string().nullish(),
  deploymentId: id,
  description: z.string().default(''),
  environment: z.string().nullish(),
  environmentUrl: z.string().default(''),
  logUrl: z.string().default(''),
  state: z.enum(['ERROR', 'FAILURE', 'INACTIVE', 'IN_PROGRESS', 'PENDING', 'QUEUED', 'SUCCESS', 'WAITING']),
});

export interface MutationType {
  /** Type of the argument `input`. */
  readonly input: string;
  readonly schema: z.ZodType;
  /** The fields that may be selected. */
  readonly fields: readonly string[];
  readonly permission: Permission;
  /** Own servers of companies know it only with this preview in `Accept`. */
  readonly preview?: string;
}

export const mutationTypes: Readonly<Record<string, MutationType>> = {
  createCheckRun: {
    input: 'CreateCheckRunInput!',
    schema: createCheckRunInput,
    fields: ['checkRun.id', 'clientMutationId'],
    permission: 'checks',
  },
  updateCheckRun: {
    input: 'UpdateCheckRunInput!',
    schema: updateCheckRunInput,
    fields: ['checkRun.id', 'clientMutationId'],
    permission: 'checks',
  },
  createDeploymentStatus: {
    input: 'CreateDeploymentStatusInput!',
    schema: createDeploymentStatusInput,
    fields: ['deploymentStatus.id', 'clientMutationId'],
    permission: 'deployments',
    preview: 'application/vnd.github.flash-preview+json',
  },
};
