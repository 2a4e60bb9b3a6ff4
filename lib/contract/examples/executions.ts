import type { executions } from '../areas/executions.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.4 and §4.5. */
export const executionsExamples: ExamplesOf<(typeof executions)[number]> = {
  'publishedPipelines.list': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    answer: {
      page: 0,
      results: [
        {
          name: 'daily/load.orch.yaml',
          publishedTime: '2026-03-02T09:31:07.000Z',
        },
      ],
      size: 25,
      total: 1,
    },
  },
  'executions.start': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      pipelineName: 'daily/load.orch.yaml',
      environmentName: 'dev',
      versionName: '1.4.0',
      executionTag: 'nightly-sales',
      scalarVariables: {
        day: '2026-03-01',
      },
    },
    answer: {
      pipelineExecutionId: 'a7e1f0c2-5d4b-4a39-8c2d-6b5a4f3e2d1c',
    },
  },
  'executions.get': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      pipelineExecutionId: 'a7e1f0c2-5d4b-4a39-8c2d-6b5a4f3e2d1c',
    },
    answer: {
      result: {
        status: 'RUNNING',
        message: '',
        startedAt: '2026-03-02T10:00:00.000Z',
        finishedAt: null,
      },
    },
  },
  'executions.terminate': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      pipelineExecutionId: 'a7e1f0c2-5d4b-4a39-8c2d-6b5a4f3e2d1c',
    },
    body: {
      status: 'CANCELLED',
      forceUpdate: true,
    },
    answer: {
      pipelineExecutionId: 'a7e1f0c2-5d4b-4a39-8c2d-6b5a4f3e2d1c',
    },
  },
  'reviews.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    headers: {
      'Agent-Version': '9.0.0',
    },
    body: {
      branchName: 'main',
      commitId: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
      pipelines: ['daily/load.orch.yaml', 'daily/broken.tran.yaml', 'sql/clean.sql'],
    },
    answer: {
      reviewStatus: 'FAILED',
      results: {
        'daily/load.orch.yaml': [
          {
            ruleName: 'minimum-components',
            status: 'PASSED',
          },
          {
            ruleName: 'maximum-components',
            status: 'FAILED',
            violations: ['more than 1 component'],
          },
        ],
        'daily/broken.tran.yaml': [
          {
            ruleName: 'minimum-components',
            status: 'ERROR',
            errorDetail: {
              type: 'designer/document-parse-error',
            },
          },
        ],
      },
      excludedFiles: ['sql/clean.sql'],
    },
  },
};
