import { expect } from 'vitest';
import type { OperationId } from '../../../lib/contract/operations.ts';
import { streaming } from '../../spec/examples/streaming.ts';

/** What earlier calls have answered, by the name that a call gives it. */
export type Known = Readonly<Record<string, string>>;

/** One use of `millrace api`. */
export interface OperationCall {
  readonly operation: OperationId;
  readonly args?: (known: Known) => readonly string[];
  /** JSON body on standard input. */
  readonly body?: unknown;
  /** What the answer holds; `null` where there is no body. */
  readonly answer: unknown;
  /** Remembers a field of the answer. */
  readonly learn?: string;
}

const param = (...pairs: string[]) => pairs.flatMap((pair) => ['--param', pair]);
const agentId = '5b0c6e2e-6f3a-4f0b-8a53-0a8f2a1f9c11';

const environment = (name: string) => ({
  name,
  displayName: name,
  defaultAgentId: agentId,
  defaultUserAccessLevel: 'runner',
  defaultConnections: { DWH: { warehouse_two: 'warehouse' } },
  connectionOverrides: [
    {
      connectionName: 'warehouse',
      connectionProperties: {
        url: { value: 'warehouse.example.com' },
        port: { value: '443' },
        useSsl: { value: 'true' },
        username: { value: 'loader' },
        password: { secretName: 'warehouse', secretKey: 'password' },
        defaultDatabase: { value: 'SALES' },
        defaultSchema: { value: 'PUBLIC' },
        defaultStorageLocation: { value: 'stage' },
      },
    },
  ],
});

const version = param('versionName=1.0.0');
const shared = param('sharedPipelineIdPrefix=finance', 'versionName=1.0.0');

/** All operations, in an order in which each finds what it needs: a project from nothing to its audit log. */
export const operationCalls: readonly OperationCall[] = [
  {
    operation: 'projects.create',
    args: () => param('name=sales', 'warehouse=WAREHOUSE_TWO', 'agentDeploymentType=HYBRID'),
    answer: {},
    learn: 'projectId',
  },
  {
    operation: 'projects.list',
    args: () => param('size=1', 'page=1'),
    answer: { page: 1, size: 1, total: 2, results: [{ name: 'sales' }] },
  },
  {
    operation: 'connections.create',
    args: () =>
      param(
        'name=warehouse',
        'platformConnectionType=dwh',
        'authProvider=warehouse_two',
        'authType=password',
      ),
    answer: {},
  },
  { operation: 'environments.create', body: environment('dev'), args: () => ['--body', '-'], answer: {} },
  { operation: 'environments.create', body: environment('test'), args: () => ['--body', '-'], answer: {} },
  {
    operation: 'environments.list',
    answer: { total: 2, results: [{ name: 'dev', defaultAgentId: agentId }, { name: 'test' }] },
  },
  {
    operation: 'repositories.link',
    args: () =>
      param('provider=git-host', 'providerParameters={"ownerName":"demo"}', 'repositoryName=warehouse'),
    answer: {},
  },
  {
    operation: 'streamingPipelines.create',
    args: () => ['--body', '-'],
    body: streaming[0]?.request.json,
    answer: { name: 'orders to warehouse' },
    learn: 'streamingPipelineId',
  },
  {
    operation: 'streamingPipelines.get',
    args: ({ streamingPipelineId = '' }) => param(`streamingPipelineId=${streamingPipelineId}`),
    answer: { name: 'orders to warehouse', streamingSource: { connection: { port: 5432 } } },
  },
  {
    operation: 'streamingPipelines.command',
    args: ({ streamingPipelineId = '' }) =>
      param(`streamingPipelineId=${streamingPipelineId}`, 'command=start'),
    answer: expect.anything(),
  },
  {
    operation: 'streamingPipelines.status',
    args: ({ streamingPipelineId = '' }) => param(`streamingPipelineId=${streamingPipelineId}`),
    answer: { status: 'starting' },
  },
  {
    operation: 'artifacts.create',
    args: ({ commit = '' }) => [
      ...version,
      ...param('environmentName=dev', `commitHash=${commit}`),
      '--file=daily/load.orch.yaml',
      '--file=./daily/slow.orch.yaml',
    ],
    answer: { versionName: '1.0.0', ignoredResources: [] },
  },
  {
    operation: 'artifacts.promote',
    args: () => [...version, ...param('sourceEnvironmentName=dev', 'targetEnvironmentName=test')],
    answer: { environmentName: 'test', versionName: '1.0.0' },
  },
  {
    operation: 'artifacts.setEnabled',
    args: () => [...version, ...param('environmentName=test', 'enabled=false')],
    answer: expect.anything(),
  },
  {
    operation: 'artifacts.list',
    args: () => param('environmentName=test', 'includeDisabled=true'),
    answer: { total: 1, results: [{ versionName: '1.0.0', environmentName: 'test', enabled: false }] },
  },
  { operation: 'connectors.listCustom', answer: [{ id: '17' }] },
  { operation: 'connectors.listFlex', answer: [{ id: '4', alternateId: 'ticket-system' }] },
  {
    operation: 'publishedPipelines.list',
    answer: { total: 2, results: [{ name: 'daily/load.orch.yaml' }, { name: 'daily/slow.orch.yaml' }] },
  },
  {
    operation: 'executions.start',
    args: () => param('pipelineName=daily/slow', 'environmentName=dev', 'executionTag=night'),
    answer: {},
    learn: 'pipelineExecutionId',
  },
  {
    operation: 'executions.get',
    args: ({ pipelineExecutionId = '' }) => param(`pipelineExecutionId=${pipelineExecutionId}`),
    answer: { result: { status: 'RUNNING' } },
  },
  {
    operation: 'executions.terminate',
    args: ({ pipelineExecutionId = '' }) =>
      param(`pipelineExecutionId=${pipelineExecutionId}`, 'status=CANCELLED', 'forceUpdate=true'),
    answer: {},
  },
  {
    operation: 'reviews.create',
    args: ({ commit = '' }) =>
      param(
        'Agent-Version=9.0.0',
        'branchName=main',
        `commitId=${commit}`,
        'pipelines=["daily/load.orch.yaml"]',
      ),
    answer: { reviewStatus: 'PASSED', excludedFiles: [] },
  },
  {
    operation: 'variables.create',
    args: () => param('name=rows', 'type=NUMBER', 'behaviour=SHARED', 'value:=1000'),
    answer: { name: 'rows', value: 1000 },
  },
  {
    operation: 'variables.update',
    args: () => param('variableName=rows', 'type=NUMBER', 'behaviour=SHARED', 'value:=2000'),
    answer: null,
  },
  { operation: 'variables.list', answer: { total: 1, results: [{ name: 'rows', value: 2000 }] } },
  {
    operation: 'overrides.set',
    args: () =>
      param(
        'variableName=rows',
        'overrides=[{"environmentName":"dev","value":5},{"environmentName":"nowhere","value":5}]',
      ),
    answer: {
      variableName: 'rows',
      successfulOverrides: [{ environmentName: 'dev' }],
      failedOverrides: [{ environmentName: 'nowhere' }],
    },
  },
  {
    operation: 'overrides.list',
    args: () => param('variableName=rows'),
    answer: { variable: { name: 'rows' }, overrides: [{ environmentName: 'dev', value: 5 }] },
  },
  {
    operation: 'overrides.delete',
    args: () => param('variableName=rows', 'environmentName=dev'),
    answer: null,
  },
  { operation: 'variables.delete', args: () => param('variableName=rows'), answer: null },
  {
    operation: 'sharedArtifacts.publish',
    args: ({ commit = '' }) => [
      ...shared,
      ...param(`commitHash=${commit}`, 'branch=main'),
      '--file=.platform/shared-pipelines.yaml',
      '--file=daily/load.orch.yaml',
    ],
    answer: { sharedPipelineIdPrefix: 'finance', versionName: '1.0.0', ignoredResources: [] },
  },
  {
    operation: 'sharedPipelines.list',
    answer: { results: [{ sharedPipelineId: 'load-1', latestVersionName: '1.0.0' }] },
  },
  {
    operation: 'sharedArtifacts.list',
    args: () => param('sharedPipelineIdPrefix=finance'),
    answer: { results: [{ versionName: '1.0.0', enabled: true }] },
  },
  {
    operation: 'sharedArtifacts.details',
    args: () => param('sharedPipelineIdPrefix=finance'),
    answer: {
      artifactDetails: { versionName: '1.0.0', branch: 'main' },
      sharedPipelines: [{ sharedPipelineId: 'load-1', sourcePipeline: 'daily/load' }],
    },
  },
  {
    operation: 'sharedArtifacts.setEnabled',
    args: () => [...shared, ...param('enabled=false')],
    answer: expect.anything(),
  },
  {
    operation: 'audit.list',
    // The plus sign of an offset is the trap of §4.7.
    args: () => param('from=2020-01-01T00:00:00+02:00', 'size=100'),
    answer: {
      size: 100,
      results: expect.arrayContaining([expect.objectContaining({ eventName: 'Artifact disabled' })]),
    },
  },
];
