import type { shared } from '../areas/shared.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.8. */
export const sharedExamples: ExamplesOf<(typeof shared)[number]> = {
  'sharedPipelines.list': {
    query: {
      page: 0,
      size: 10,
    },
    answer: {
      page: 0,
      results: [
        {
          sharedPipelineIdPrefix: 'finance',
          sharedPipelineId: 'clean',
          description: 'Cleans a table',
          latestVersionName: '2026.3',
        },
      ],
      size: 10,
      total: 1,
    },
  },
  'sharedArtifacts.list': {
    query: {
      sharedPipelineIdPrefix: 'finance',
    },
    answer: {
      page: 0,
      results: [
        {
          sharedPipelineIdPrefix: 'finance',
          versionName: '2026.3',
          enabled: true,
          createdAt: '2026-03-02T09:31:07.000Z',
          commitHash: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
          branch: 'main',
        },
      ],
      size: 25,
      total: 1,
    },
  },
  'sharedArtifacts.details': {
    query: {
      sharedPipelineIdPrefix: 'finance',
    },
    answer: {
      artifactDetails: {
        sharedPipelineIdPrefix: 'finance',
        versionName: '2026.3',
        enabled: true,
        createdAt: '2026-03-02T09:31:07.000Z',
        provider: 'git-host',
        commitHash: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
        branch: 'main',
      },
      sharedPipelines: [
        {
          sharedPipelineId: 'clean',
          sourcePipeline: 'shared/clean',
          description: 'Cleans a table',
        },
      ],
    },
  },
  'sharedArtifacts.publish': {
    headers: {
      sharedPipelineIdPrefix: 'finance',
      versionName: '2026.3',
      commitHash: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
      branch: 'main',
    },
    files: ['.platform/shared-pipelines.yaml', 'shared/clean.orch.yaml'],
    answer: {
      sharedPipelineIdPrefix: 'finance',
      versionName: '2026.3',
      ignoredResources: [],
    },
  },
  'sharedArtifacts.setEnabled': {
    body: {
      sharedPipelineIdPrefix: 'finance',
      versionName: '2026.3',
      enabled: false,
    },
    answer: {},
  },
};
