import type { streaming } from '../areas/streaming.ts';
import type { ExamplesOf } from '../description/example.ts';

/** One call of each operation of spec §4.2. */
export const streamingExamples: ExamplesOf<(typeof streaming)[number]> = {
  'streamingPipelines.create': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
    },
    body: {
      name: 'orders to warehouse',
      agentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
      streamingSource: {
        type: 'relational',
        connection: {
          host: 'orders.example.com',
          port: 5432,
          database: 'orders',
          username: 'replicator',
          password: {
            secretType: 'KEY_VAULT',
            secretLocation: 'sales-vault',
            secretName: 'orders-password',
          },
          jdbcProperties: {
            lockTimeout: 10000,
          },
        },
        tables: [
          {
            schema: 'public',
            table: 'orders',
          },
        ],
      },
      streamingTarget: {
        type: 'warehouse',
        connection: {
          accountName: 'acme-1',
          username: 'streamer',
          authentication: {
            type: 'key-pair',
            privateKey: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-key',
            },
            passphrase: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-passphrase',
            },
          },
          jdbcProperties: {
            networkTimeout: 60000,
          },
        },
        role: 'STREAMER',
        warehouse: 'SMALL',
        database: 'SALES',
        stageSchema: 'STAGING',
        stageName: 'ORDERS_STAGE',
        stagePrefix: 'orders',
        tableSchema: 'RAW',
        tablePrefixType: 'PREFIX',
        transformationType: 'CHANGE_LOG',
        temporalMapping: 'NATIVE',
      },
      advancedProperties: {
        'batch.size': '2048',
      },
    },
    answer: {
      streamingPipelineId: '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4',
      name: 'orders to warehouse',
      agentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
      streamingSource: {
        type: 'relational',
        connection: {
          host: 'orders.example.com',
          port: 5432,
          database: 'orders',
          username: 'replicator',
          password: {
            secretType: 'KEY_VAULT',
            secretLocation: 'sales-vault',
            secretName: 'orders-password',
          },
          jdbcProperties: {
            lockTimeout: 10000,
          },
        },
        tables: [
          {
            schema: 'public',
            table: 'orders',
          },
        ],
      },
      streamingTarget: {
        type: 'warehouse',
        connection: {
          accountName: 'acme-1',
          username: 'streamer',
          authentication: {
            type: 'key-pair',
            privateKey: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-key',
            },
            passphrase: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-passphrase',
            },
          },
          jdbcProperties: {
            networkTimeout: 60000,
          },
        },
        role: 'STREAMER',
        warehouse: 'SMALL',
        database: 'SALES',
        stageSchema: 'STAGING',
        stageName: 'ORDERS_STAGE',
        stagePrefix: 'orders',
        tableSchema: 'RAW',
        tablePrefixType: 'PREFIX',
        transformationType: 'CHANGE_LOG',
        temporalMapping: 'NATIVE',
      },
      advancedProperties: {
        'batch.size': '2048',
      },
    },
  },
  'streamingPipelines.get': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      streamingPipelineId: '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4',
    },
    answer: {
      streamingPipelineId: '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4',
      name: 'orders to warehouse',
      agentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
      streamingSource: {
        type: 'relational',
        connection: {
          host: 'orders.example.com',
          port: 5432,
          database: 'orders',
          username: 'replicator',
          password: {
            secretType: 'KEY_VAULT',
            secretLocation: 'sales-vault',
            secretName: 'orders-password',
          },
          jdbcProperties: {
            lockTimeout: 10000,
          },
        },
        tables: [
          {
            schema: 'public',
            table: 'orders',
          },
        ],
      },
      streamingTarget: {
        type: 'warehouse',
        connection: {
          accountName: 'acme-1',
          username: 'streamer',
          authentication: {
            type: 'key-pair',
            privateKey: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-key',
            },
            passphrase: {
              secretType: 'KEY_VAULT',
              secretLocation: 'sales-vault',
              secretName: 'streamer-passphrase',
            },
          },
          jdbcProperties: {
            networkTimeout: 60000,
          },
        },
        role: 'STREAMER',
        warehouse: 'SMALL',
        database: 'SALES',
        stageSchema: 'STAGING',
        stageName: 'ORDERS_STAGE',
        stagePrefix: 'orders',
        tableSchema: 'RAW',
        tablePrefixType: 'PREFIX',
        transformationType: 'CHANGE_LOG',
        temporalMapping: 'NATIVE',
      },
      advancedProperties: {
        'batch.size': '2048',
      },
    },
  },
  'streamingPipelines.command': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      streamingPipelineId: '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4',
    },
    body: {
      command: 'start',
    },
    answer: {},
  },
  'streamingPipelines.status': {
    params: {
      projectId: '3f0f6a52-7c1e-4d6b-9a58-0d2f5b1c9e77',
      streamingPipelineId: '9c4e7d10-2b3a-4f5c-8d6e-7f8091a2b3c4',
    },
    answer: {
      status: 'starting',
    },
  },
};
