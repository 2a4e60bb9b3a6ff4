import type { Example } from '../example.ts';
import { agentId, projectId } from './identifiers.ts';

/** Spec §4.1, in its call order: project, warehouse connection, environment, repository. */
export const provisioning: readonly Example[] = [
  {
    title: 'a project is created',
    operation: 'projects.create',
    section: '§4.1, §2.1',
    as: 'superAdmin',
    input: {
      name: 'Sales warehouse',
      description: 'Loads and models of the sales figures',
      warehouse: 'WAREHOUSE_ONE',
      agentDeploymentType: 'HYBRID',
    },
    request: {
      method: 'POST',
      target: '/v1/projects',
      headers: { 'content-type': 'application/json' },
      json: {
        name: 'Sales warehouse',
        description: 'Loads and models of the sales figures',
        warehouse: 'WAREHOUSE_ONE',
        agentDeploymentType: 'HYBRID',
      },
    },
    answer: { status: 201, json: { projectId } },
  },
  {
    title: 'the projects are listed, page by page',
    operation: 'projects.list',
    section: '§4.1, §2',
    as: 'superAdmin',
    input: { page: 0, size: 50 },
    request: { method: 'GET', target: '/v1/projects?page=0&size=50', headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          { id: projectId, name: 'Sales warehouse', description: 'Loads and models of the sales figures' },
        ],
        size: 50,
        total: 1,
      },
    },
  },
  {
    title: 'a warehouse connection of the first kind, with a key pair',
    operation: 'connections.create',
    section: '§4.1, §2.2',
    as: 'superAdmin',
    input: {
      projectId,
      name: 'warehouse-dev',
      platformConnectionType: 'dwh',
      authProvider: 'warehouse_one',
      authType: 'key_pair',
    },
    request: {
      method: 'POST',
      target: `/v1/projects/${projectId}/data-platform-connections`,
      headers: { 'content-type': 'application/json' },
      json: {
        name: 'warehouse-dev',
        platformConnectionType: 'dwh',
        authProvider: 'warehouse_one',
        authType: 'key_pair',
      },
    },
    answer: { status: 201, json: {} },
  },
  environment('dev'),
  environment('test'),
  {
    title: 'the environments of a project are listed',
    operation: 'environments.list',
    section: '§4.1, §2.3',
    as: 'superAdmin',
    input: { projectId },
    request: { method: 'GET', target: `/v1/projects/${projectId}/environments`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [
          { name: 'dev', defaultAgentId: agentId, defaultAgentName: 'runner-one' },
          { name: 'test', defaultAgentId: agentId, defaultAgentName: 'runner-one' },
        ],
        size: 25,
        total: 2,
      },
    },
  },
  {
    title: 'the other spelling of the runner identifier is read',
    operation: 'environments.list',
    section: '§2.3',
    as: 'superAdmin',
    input: { projectId },
    request: { method: 'GET', target: `/v1/projects/${projectId}/environments`, headers: {} },
    answer: {
      status: 200,
      json: {
        page: 0,
        results: [{ name: 'dev', defaultAgentID: agentId, defaultAgentName: 'runner-one' }],
        size: 25,
        total: 1,
      },
    },
    reads: {
      page: 0,
      results: [{ name: 'dev', defaultAgentId: agentId, defaultAgentName: 'runner-one' }],
      size: 25,
      total: 1,
    },
    notOnPlatform: 'The local platform writes the name that the results have.',
  },
  {
    title: 'a repository is linked without a token of the Git host',
    operation: 'repositories.link',
    section: '§4.1, §2.4, §5 rule 6',
    as: 'superAdmin',
    input: {
      projectId,
      provider: 'git-host',
      providerParameters: { ownerName: 'acme' },
      repositoryName: 'sales-warehouse',
    },
    request: {
      method: 'POST',
      target: `/v1/projects/${projectId}/repositories`,
      headers: { 'content-type': 'application/json' },
      json: {
        provider: 'git-host',
        providerParameters: { ownerName: 'acme' },
        repositoryName: 'sales-warehouse',
      },
    },
    answer: { status: 201, json: {} },
  },
];

function environment(name: string): Example {
  const definition = {
    name,
    displayName: `The ${name} environment`,
    description: 'Where changes are tried',
    defaultAgentId: agentId,
    defaultUserAccessLevel: 'runner',
    defaultConnections: { DWH: { warehouse_one: 'warehouse-dev' } },
    connectionOverrides: [
      {
        connectionName: 'warehouse-dev',
        connectionProperties: {
          account: { value: 'acme-1' },
          username: { value: 'loader' },
          defaultRole: { value: 'LOADER' },
          defaultWarehouse: { value: 'SMALL' },
          defaultDatabase: { value: 'SALES' },
          defaultSchema: { value: 'PUBLIC' },
          privateKey: { secretName: 'warehouse-key' },
          passphrase: { secretName: 'warehouse-key', secretKey: 'passphrase' },
        },
      },
    ],
  };
  return {
    title: `the environment ${name} is created with a key pair`,
    operation: 'environments.create',
    section: '§4.1, §2.3',
    as: 'superAdmin',
    input: { projectId, ...definition },
    request: {
      method: 'POST',
      target: `/v1/projects/${projectId}/environments`,
      headers: { 'content-type': 'application/json' },
      json: definition,
    },
    answer: { status: 201, json: {} },
  };
}
