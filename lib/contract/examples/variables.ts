import type { variables } from '../areas/variables.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.6. */
export const variablesExamples: ExamplesOf<(typeof variables)[number]> = {
  'variables.list': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    query: {
      page: 0,
      size: 25,
    },
    answer: {
      page: 0,
      results: [
        {
          id: 'c0ffee00-1234-4abc-8def-0123456789ab',
          name: 'row_limit',
          type: 'NUMBER',
          behaviour: 'SHARED',
          description: 'How many rows are loaded',
          value: 1000,
          supportsDoubleResolution: false,
        },
      ],
      size: 25,
      total: 1,
    },
  },
  'variables.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      name: 'row_limit',
      type: 'NUMBER',
      behaviour: 'SHARED',
      description: 'How many rows are loaded',
      value: 1000,
      supportsDoubleResolution: false,
    },
    answer: {
      id: 'c0ffee00-1234-4abc-8def-0123456789ab',
      name: 'row_limit',
      value: 1000,
    },
  },
  'variables.update': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      variableName: 'row_limit',
    },
    body: {
      type: 'NUMBER',
      behaviour: 'SHARED',
      value: 2000,
    },
  },
  'variables.delete': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      variableName: 'row_limit',
    },
  },
  'overrides.list': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      variableName: 'row_limit',
    },
    query: {
      environmentName: 'dev',
    },
    answer: {
      variable: {
        id: 'c0ffee00-1234-4abc-8def-0123456789ab',
        name: 'row_limit',
        type: 'NUMBER',
      },
      overrides: [
        {
          environmentName: 'dev',
          value: 10,
        },
      ],
    },
  },
  'overrides.set': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      variableName: 'row_limit',
    },
    body: {
      overrides: [
        {
          environmentName: 'dev',
          value: 10,
        },
        {
          environmentName: 'nowhere',
          value: 10,
        },
      ],
    },
    answer: {
      variableName: 'row_limit',
      type: 'NUMBER',
      successfulOverrides: [
        {
          environmentName: 'dev',
          value: 10,
        },
      ],
      failedOverrides: [
        {
          environmentName: 'nowhere',
        },
      ],
    },
  },
  'overrides.delete': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      variableName: 'row_limit',
      environmentName: 'dev',
    },
  },
};
