import type { Example } from '../example.ts';
import { agentId, projectId, streamingPipelineId } from './identifiers.ts';

const vault = { secretType: 'KEY_VAULT', secretLocation: 'sales-vault' };

const definition = {
  name: 'orders to warehouse',
  agentId,
  streamingSource: {
    type: 'relational',
    connection: {
      host: 'orders.example.com',
      port: 5432,
      database: 'orders',
      username: 'replicator',
      password: { ...vault, secretName: 'orders-password' },
      jdbcProperties: { lockTimeout: 10000 },
    },
    tables: [{ schema: 'public', table: 'orders' }],
  },
  streamingTarget: {
    type: 'warehouse',
    connection: {
      accountName: 'acme-1',
      username: 'streamer',
      authentication: {
        type: 'key-pair',
        privateKey: { ...vault, secretName: 'streamer-key' },
        passphrase: { ...vault, secretName: 'streamer-passphrase' },
      },
      jdbcProperties: { networkTimeout: 60000 },
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
  advancedProperties: { 'batch.size': '2048' },
};

const collection = `/v1/projects/${projectId}/streaming-pipelines`;
const one = `${collection}/${streamingPipelineId}`;

/** Spec §4.2 and §3.1; the errors of §7, first row. */
export const streaming: readonly Example[] = [
  {
    title: 'a streaming pipeline is defined',
    operation: 'streamingPipelines.create',
    section: '§4.2, §2.5',
    as: 'superAdmin',
    input: { projectId, ...definition },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: definition,
    },
    answer: { status: 201, json: { streamingPipelineId, ...definition } },
  },
  {
    title: 'an incomplete definition is answered field by field',
    operation: 'streamingPipelines.create',
    section: '§7',
    as: 'superAdmin',
    input: { projectId, ...incomplete() },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: incomplete(),
    },
    answer: {
      status: 400,
      json: {
        title: 'Bad Request',
        status: 400,
        detail: 'The definition is not valid',
        instance: collection,
        'validation-errors': [
          { field: 'streamingSource.connection.username', message: 'must not be empty' },
          { field: 'streamingTarget.connection.authentication', message: 'must not be null' },
        ],
      },
    },
    clientRefusesWith: 'request-invalid',
  },
  {
    title: 'a definition that only the platform can refuse',
    operation: 'streamingPipelines.create',
    section: '§7',
    as: 'superAdmin',
    input: { projectId, ...definition },
    request: {
      method: 'POST',
      target: collection,
      headers: { 'content-type': 'application/json' },
      json: definition,
    },
    answer: {
      status: 400,
      json: {
        title: 'Bad Request',
        status: 400,
        detail: 'The definition is not valid',
        instance: collection,
        'validation-errors': [{ field: 'agentId', message: 'must be a streaming runner' }],
      },
    },
    failsWith: 'request-invalid',
    notOnPlatform: 'Whether a runner is a streaming runner is not shown.',
  },
  {
    title: 'the definition of a streaming pipeline is read',
    operation: 'streamingPipelines.get',
    section: '§4.2',
    as: 'superAdmin',
    input: { projectId, streamingPipelineId },
    request: { method: 'GET', target: one, headers: {} },
    answer: { status: 200, json: { streamingPipelineId, ...definition } },
  },
  {
    title: 'a streaming pipeline is started',
    operation: 'streamingPipelines.command',
    section: '§4.2, §3.1',
    as: 'superAdmin',
    input: { projectId, streamingPipelineId, command: 'start' },
    request: {
      method: 'POST',
      target: `${one}/commands`,
      headers: { 'content-type': 'application/json' },
      json: { command: 'start' },
    },
    answer: { status: 200, json: {} },
  },
  {
    title: 'the status of a streaming pipeline is read',
    operation: 'streamingPipelines.status',
    section: '§4.2, §3.1',
    as: 'superAdmin',
    input: { projectId, streamingPipelineId },
    request: { method: 'GET', target: `${one}/status`, headers: {} },
    answer: { status: 200, json: { status: 'starting' } },
  },
  {
    title: 'a streaming pipeline is stopped, and no body comes back',
    operation: 'streamingPipelines.command',
    section: '§4.2, §3.1',
    as: 'superAdmin',
    input: { projectId, streamingPipelineId, command: 'stop' },
    request: {
      method: 'POST',
      target: `${one}/commands`,
      headers: { 'content-type': 'application/json' },
      json: { command: 'stop' },
    },
    answer: { status: 200 },
  },
];

/** Without a target's authentication and with an empty user name: the two messages that §7 shows. */
function incomplete(): Record<string, unknown> {
  const { streamingSource: source, streamingTarget: target } = definition;
  return {
    ...definition,
    streamingSource: { ...source, connection: { ...source.connection, username: '' } },
    streamingTarget: {
      ...target,
      connection: { ...target.connection, authentication: null },
    },
  };
}
