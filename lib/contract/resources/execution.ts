import * as z from 'zod';
import { answeredTimestamp, closedEnum, extension, nonEmpty, openEnum } from '../description/field.ts';

export const publishedPipeline = z.looseObject({
  name: z.string(),
  publishedTime: answeredTimestamp,
});

/** The body that starts an execution (spec §2.7). Variables and the agent are known from deployments (unknowns §2). */
export const executionRequest = z.strictObject({
  pipelineName: nonEmpty,
  environmentName: nonEmpty,
  versionName: nonEmpty.optional(),
  executionTag: nonEmpty.optional(),
  agentId: extension(nonEmpty.optional()),
  scalarVariables: extension(z.record(nonEmpty, z.string()).optional()),
  gridVariables: extension(z.record(nonEmpty, z.array(z.array(z.string()))).optional()),
});

export const executionReference = z.looseObject({ pipelineExecutionId: z.string() });

const executionRecord = z.looseObject({
  status: openEnum([
    'QUEUED',
    'RUNNING',
    'CANCELLING',
    'SUCCESS',
    'FAILED',
    'CANCELLED',
    'SKIPPED',
    'FORBIDDEN',
  ]),
  message: z.string().nullish(),
  startedAt: answeredTimestamp.nullish(),
  finishedAt: answeredTimestamp.nullish(),
});

/**
 * The answer about an execution (spec §4.4). Some deployments return the record without its wrapper (unknowns §2);
 * it is wrapped here.
 */
export const execution = z.preprocess(
  (answer) =>
    typeof answer === 'object' && answer !== null && !('result' in answer) && 'status' in answer
      ? { result: answer }
      : answer,
  z.looseObject({ result: executionRecord }),
);

/** The body that terminates an execution (spec §2.7), with the status `CANCELLED` (unknowns §2). */
export const termination = z.strictObject({
  status: closedEnum(['CANCELLED']),
  forceUpdate: z.boolean(),
});

/** The body that requests a review (spec §2.8). */
export const reviewRequest = z.strictObject({
  branchName: nonEmpty,
  commitId: nonEmpty,
  pipelines: z.array(nonEmpty).min(1),
});

export const errorDetailTypes = [
  'designer/rules-file-retrieval-error',
  'designer/rules-file-parse-error',
  'designer/document-parse-error',
  'designer/validator-not-found',
  'designer/invalid-enforcement-level',
  'designer/empty-regex-pattern',
  'designer/invalid-regex-pattern',
  'designer/no-start-component',
  'designer/invalid-rule-configuration',
  'designer/duplicate-enabled-rule',
] as const;

export const ruleResult = z.looseObject({
  ruleName: z.string(),
  status: openEnum(['PASSED', 'FAILED', 'ERROR']),
  errorDetail: z.looseObject({ type: openEnum(errorDetailTypes) }).nullish(),
  violations: z.array(z.string()).nullish(),
});

export const review = z.looseObject({
  reviewStatus: openEnum(['PASSED', 'FAILED']),
  results: z.record(z.string(), z.array(ruleResult)),
  excludedFiles: z.array(z.string()).nullish(),
});
