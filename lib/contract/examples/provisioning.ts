import type { provisioning } from '../areas/provisioning.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.1. */
export const provisioningExamples: ExamplesOf<(typeof provisioning)[number]> = {
  'projects.create': {
    body: {
      name: 'Sales warehouse',
      description: 'Loads and models of the sales figures',
      warehouse: 'WAREHOUSE_ONE',
      agentDeploymentType: 'HYBRID',
    },
    answer: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
  },
  'projects.list': {
    query: {
      page: 0,
      size: 50,
    },
    answer: {
      page: 0,
      results: [
        {
          id: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
          name: 'Sales warehouse',
          description: 'Loads and models of the sales figures',
        },
      ],
      size: 50,
      total: 1,
    },
  },
  'connections.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      name: 'warehouse-dev',
      platformConnectionType: 'dwh',
      authProvider: 'warehouse_one',
      authType: 'key_pair',
    },
    answer: {},
  },
  'environments.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      name: 'dev',
      displayName: 'The dev environment',
      description: 'Where changes are tried',
      defaultAgentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
      defaultUserAccessLevel: 'runner',
      defaultConnections: {
        DWH: {
          warehouse_one: 'warehouse-dev',
        },
      },
      connectionOverrides: [
        {
          connectionName: 'warehouse-dev',
          connectionProperties: {
            account: {
              value: 'acme-1',
            },
            username: {
              value: 'loader',
            },
            defaultRole: {
              value: 'LOADER',
            },
            defaultWarehouse: {
              value: 'SMALL',
            },
            defaultDatabase: {
              value: 'SALES',
            },
            defaultSchema: {
              value: 'PUBLIC',
            },
            privateKey: {
              secretName: 'warehouse-key',
            },
            passphrase: {
              secretName: 'warehouse-key',
              secretKey: 'passphrase',
            },
          },
        },
      ],
    },
    answer: {},
  },
  'environments.list': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    answer: {
      page: 0,
      results: [
        {
          name: 'dev',
          defaultAgentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
          defaultAgentName: 'runner-one',
        },
        {
          name: 'test',
          defaultAgentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
          defaultAgentName: 'runner-one',
        },
      ],
      size: 25,
      total: 2,
    },
  },
  'repositories.link': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      provider: 'git-host',
      providerParameters: {
        ownerName: 'acme',
      },
      repositoryName: 'sales-warehouse',
    },
    answer: {},
  },
};
