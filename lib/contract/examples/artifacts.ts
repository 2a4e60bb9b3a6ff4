import type { artifacts } from '../areas/artifacts.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.3. */
export const artifactsExamples: ExamplesOf<(typeof artifacts)[number]> = {
  'artifacts.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    headers: {
      versionName: '1.4.0',
      environmentName: 'dev',
      commitHash: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
      branch: 'release/1.4',
    },
    files: ['daily/load.orch.yaml', 'sql/clean up.sql', 'connector-profile:custom-17.json'],
    answer: {
      versionName: '1.4.0',
      ignoredResources: [],
    },
  },
  'artifacts.promote': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      sourceEnvironmentName: 'dev',
      targetEnvironmentName: 'test',
      versionName: '1.4.0',
    },
    answer: {
      environmentName: 'test',
      versionName: '1.4.0',
    },
  },
  'artifacts.list': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    answer: {
      page: 0,
      results: [
        {
          versionName: '1.4.0',
          environmentName: 'test',
          commitHash: '8d1f3c5b7a9e0d2f4c6b8a1e3d5f7092b4c6d8e0',
          branch: 'release/1.4',
          enabled: true,
          createdAt: '2026-03-02T09:31:07.000Z',
          deployedAt: '2026-03-02T09:40:11.000Z',
        },
      ],
      size: 25,
      total: 1,
    },
  },
  'artifacts.setEnabled': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      environmentName: 'test',
      versionName: '1.4.0',
      enabled: false,
    },
    answer: {},
  },
  'connectors.listCustom': {
    answer: [
      {
        id: '17',
        name: 'Weather service',
      },
    ],
  },
  'connectors.listFlex': {
    answer: [
      {
        id: '4',
        alternateId: 'ticket-system',
        name: 'Ticket system',
      },
    ],
  },
};
