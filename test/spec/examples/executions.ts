import type { Example } from '../example.ts';
import { commitHash, pipelineExecutionId, projectId } from './identifiers.ts';

const collection = `/v1/projects/${projectId}/pipeline-executions`;
const one = `${collection}/${pipelineExecutionId}`;
const start = {
  pipelineName: 'daily/load.orch.yaml',
  environmentName: 'dev',
  versionName: '1.4.0',
  executionTag: 'nightly-sales',
};

/** Spec §4.4 and §4.5. */
export const executions: readonly Example[] = [
  {
    title: 'the published pipelines are listed',
    operation: 'publishedPipelines.list',
    section: '§4.4, §2.7',
    as: 'superAdmin',
    input: { projectId },
    request: { method: 'GET', target: `/v1/projects/${projectId}/published-pipelines`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [{ name: 'daily/load.orch.yaml', publishedTime: '2026-03-02T09:31:07.000Z' }],
        size: 25,
        total: 1,
      },
    },
  },
  {
    title: 'an execution is started under a tag',
    operation: 'executions.start',
    section: '§4.4, §2.7, unknowns §2',
    as: 'superAdmin',
    input: { projectId, ...start, scalarVariables: { day: '2026-03-01' } },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: { ...start, scalarVariables: { day: '2026-03-01' } },
    },
    answer: { status: 201, json: { pipelineExecutionId } },
  },
  {
    title: 'a start with a tag that is still running is refused',
    operation: 'executions.start',
    section: '§4.4 rule 2, §7',
    as: 'superAdmin',
    input: { projectId, ...start },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: start,
    },
    answer: { status: 409, json: { error: 'An execution with this tag is already running', status: 409 } },
    failsWith: 'execution-tag-conflict',
  },
  {
    title: 'the status of an execution is read',
    operation: 'executions.get',
    section: '§4.4, §2.7',
    as: 'superAdmin',
    input: { projectId, pipelineExecutionId },
    request: { method: 'GET', target: one, headers: {} },
    answer: {
      status: 200,
      json: {
        result: {
          status: 'RUNNING',
          message: '',
          startedAt: '2026-03-02T10:00:00.000Z',
          finishedAt: null,
        },
      },
    },
  },
  {
    title: 'a status that comes without its wrapper is read',
    operation: 'executions.get',
    section: 'unknowns §2',
    as: 'superAdmin',
    input: { projectId, pipelineExecutionId },
    request: { method: 'GET', target: one, headers: {} },
    answer: {
      status: 200,
      json: {
        status: 'SUCCESS',
        startedAt: '2026-03-02T10:00:00.000Z',
        finishedAt: '2026-03-02T10:04:00.000Z',
      },
    },
    reads: {
      result: {
        status: 'SUCCESS',
        startedAt: '2026-03-02T10:00:00.000Z',
        finishedAt: '2026-03-02T10:04:00.000Z',
      },
    },
    notOnPlatform: 'The local platform answers as spec §4.4 shows.',
  },
  {
    title: 'an execution is terminated',
    operation: 'executions.terminate',
    section: '§4.4, §3.2, unknowns §2',
    as: 'superAdmin',
    input: { projectId, pipelineExecutionId, status: 'CANCELLED', forceUpdate: true },
    request: {
      method: 'PATCH',
      target: one,
      headers: { 'content-type': 'application/json' },
      json: { status: 'CANCELLED', forceUpdate: true },
    },
    answer: { status: 200, json: { pipelineExecutionId } },
  },
  {
    title: 'a start of a disabled version is refused',
    operation: 'executions.start',
    section: 'unknowns §2',
    as: 'superAdmin',
    input: {
      projectId,
      pipelineName: 'daily/load.orch.yaml',
      environmentName: 'test',
      versionName: '1.4.0',
    },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: { pipelineName: 'daily/load.orch.yaml', environmentName: 'test', versionName: '1.4.0' },
    },
    answer: { status: 410, json: { error: 'The version is disabled', status: 410 } },
    failsWith: 'version-disabled',
  },
  {
    title: 'pipelines are reviewed: one passes, one fails, one cannot be evaluated, one is left out',
    operation: 'reviews.create',
    section: '§4.5, §2.8',
    as: 'superAdmin',
    input: {
      projectId,
      agentVersion: '9.0.0',
      branchName: 'main',
      commitId: commitHash,
      pipelines: ['daily/load.orch.yaml', 'daily/broken.tran.yaml', 'sql/clean.sql'],
    },
    request: {
      method: 'POST',
      target: `/v1/projects/${projectId}/reviews`,
      headers: { 'content-type': 'application/json', 'Agent-Version': '9.0.0' },
      json: {
        branchName: 'main',
        commitId: commitHash,
        pipelines: ['daily/load.orch.yaml', 'daily/broken.tran.yaml', 'sql/clean.sql'],
      },
    },
    answer: {
      status: 200,
      json: {
        reviewStatus: 'FAILED',
        results: {
          'daily/load.orch.yaml': [
            { ruleName: 'minimum-components', status: 'PASSED' },
            { ruleName: 'maximum-components', status: 'FAILED', violations: ['more than 1 component'] },
          ],
          'daily/broken.tran.yaml': [
            {
              ruleName: 'minimum-components',
              status: 'ERROR',
              errorDetail: { type: 'designer/document-parse-error' },
            },
          ],
        },
        excludedFiles: ['sql/clean.sql'],
      },
    },
  },
];
