import { expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import type { Seed } from '../../../platform/index.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { streamingDefinition } from '../../environment/streaming-definition.ts';
import { type Answer, field, resultsOf, type Talk, talk } from '../talk.ts';

const fast = '11111111-2222-4333-8444-555555555555';
const slow = '22222222-2222-4333-8444-555555555555';
const unknown = '33333333-2222-4333-8444-555555555555';

const seed: Seed = {
  agents: { [fast]: 'fast', [slow]: { name: 'slow', state: 'paused', version: '9.1.0' } },
  projects: [
    {
      name: 'p',
      connections: [{ name: 'main', authType: 'key_pair' }],
      environments: ['dev', { name: 'prod', defaultAgentId: slow }],
      artifacts: [
        { version: '1', files: { 'load.orch.yaml': orchestration }, environments: ['dev', 'prod'] },
      ],
    },
  ],
  credentials: [{ name: 'boss', role: 'superAdmin' }],
};

const write = { headers: { 'x-millrace-platform': '1' } };
const act = (platform: Talk, id: string, action: string) =>
  platform.post(`/_platform/runners/${id}/${action}`, undefined, write);

const start = (platform: Talk, body: object = {}) =>
  platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'load',
    environmentName: 'prod',
    ...body,
  });

async function resultOf(platform: Talk, started: Answer): Promise<Record<string, unknown>> {
  const id = field(started, 'pipelineExecutionId');
  const { body } = await platform.get(`${platform.project}/pipeline-executions/${id}`);
  return (body as { result: Record<string, unknown> }).result;
}

test('a start on a paused runner stays QUEUED, also an hour later, and runs once the runner starts', async () => {
  await using platform = await talk({ seed });
  const started = await start(platform, { executionTag: 't' });
  expect(started.status).toBe(201);
  await platform.platform.clock.advance('1h');
  expect(await resultOf(platform, started)).toMatchObject({
    status: 'QUEUED',
    message: 'Waiting: the runner "slow" is paused.',
    startedAt: null,
    finishedAt: null,
  });
  expect((await start(platform, { executionTag: 't' })).status).toBe(409);
  expect(await act(platform, slow, 'start')).toMatchObject({
    status: 200,
    body: { runners: [{ name: 'fast' }, { name: 'slow', state: 'running', version: '9.1.0' }] },
  });
  await platform.platform.clock.advance('1h');
  expect(await resultOf(platform, started)).toMatchObject({ status: 'SUCCESS' });
});

test('a start on a stopped runner ends FORBIDDEN at once, and frees its tag', async () => {
  await using platform = await talk({ seed });
  await act(platform, slow, 'stop');
  const started = await start(platform, { executionTag: 't' });
  expect(await resultOf(platform, started)).toMatchObject({
    status: 'FORBIDDEN',
    message: 'The runner "slow" is stopped, so it takes no execution.',
    startedAt: null,
    finishedAt: expect.any(String),
  });
  expect((await start(platform, { executionTag: 't' })).status).toBe(201);
});

test('an execution that waits for a paused runner ends FORBIDDEN when it is stopped, CANCELLED on request', async () => {
  await using platform = await talk({ seed });
  const [stopped, cancelled] = [await start(platform), await start(platform)];
  const id = field(cancelled, 'pipelineExecutionId');
  await platform.patch(`${platform.project}/pipeline-executions/${id}`, {
    status: 'CANCELLED',
    forceUpdate: false,
  });
  expect(await resultOf(platform, cancelled)).toMatchObject({ status: 'CANCELLED', startedAt: null });
  await act(platform, slow, 'stop');
  expect(await resultOf(platform, stopped)).toMatchObject({ status: 'FORBIDDEN' });
});

test('agentId on a start chooses the runner; an unknown one is refused', async () => {
  await using platform = await talk({ seed });
  const started = await start(platform, { agentId: fast });
  await platform.platform.clock.advance('1h');
  expect(await resultOf(platform, started)).toMatchObject({ status: 'SUCCESS' });
  expect(await start(platform, { agentId: unknown })).toMatchObject({
    status: 404,
    body: { error: `The runner "${unknown}" does not exist.` },
  });
});

test('an environment without a runner gets the first of the seed; an unknown runner is refused', async () => {
  await using platform = await talk({ seed });
  expect(resultsOf(await platform.get(`${platform.project}/environments`))).toEqual([
    { name: 'dev', defaultAgentId: fast, defaultAgentName: 'fast' },
    { name: 'prod', defaultAgentId: slow, defaultAgentName: 'slow' },
  ]);
  const environment = {
    name: 'new',
    defaultAgentId: unknown,
    defaultUserAccessLevel: 'default',
    defaultConnections: { DWH: { warehouse_one: 'main' } },
    connectionOverrides: [],
  };
  expect(await platform.post(`${platform.project}/environments`, environment)).toMatchObject({
    status: 400,
    body: { violations: [`defaultAgentId names "${unknown}", which is not a runner (§2.3)`] },
  });
  const created = { ...environment, defaultAgentId: fast };
  expect((await platform.post(`${platform.project}/environments`, created)).status).toBe(201);
  const streaming = streamingDefinition(unknown, 'relational');
  expect(await platform.post(`${platform.project}/streaming-pipelines`, streaming)).toMatchObject({
    status: 400,
    body: { 'validation-errors': [{ field: 'agentId', message: 'must be an existing runner' }] },
  });
});

test('a seed whose environment names a runner that it does not list is refused', async () => {
  const projects = [{ name: 'p', environments: [{ name: 'dev', defaultAgentId: unknown }] }];
  await expect(talk({ seed: { ...seed, projects } })).rejects.toThrow(
    /environments\[0\]\.defaultAgentId names "33333333.*", which is not a runner of the seed/,
  );
});

test('each action is an event of §6, and a reset undoes it', async () => {
  await using platform = await talk({ seed });
  for (const action of ['start', 'pause', 'refresh-credentials', 'restart', 'stop'])
    await act(platform, slow, action);
  const events = resultsOf(await platform.get('/v1/events'));
  expect(events.map(({ eventName, eventSubjectName }) => [eventName, eventSubjectName])).toEqual(
    Array.from({ length: 5 }, () => ['Agent Action', 'slow']),
  );
  expect((await act(platform, unknown, 'start')).status).toBe(404);
  expect((await act(platform, slow, 'dance')).status).toBe(400);
  platform.platform.reset();
  expect((await platform.get('/_platform/runners')).body).toMatchObject({
    runners: [{ state: 'running' }, { state: 'paused' }],
  });
});

test('without runners in the seed every id exists, and none can be paused', async () => {
  await using platform = await talk();
  await platform.publish('1', { 'load.orch.yaml': orchestration });
  const started = await start(platform, { environmentName: 'dev', agentId: unknown });
  expect(started.status).toBe(201);
  expect(await act(platform, unknown, 'pause')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('lists no runners') },
  });
});

test('the client reads FORBIDDEN and QUEUED', async () => {
  await using platform = await talk({ seed });
  await using client = createClient({
    baseUrl: platform.platform.baseUrl,
    auth: { token: platform.platform.tokens.superAdmin },
  });
  const { projectId } = platform.platform;
  const input = { projectId, pipelineName: 'load', environmentName: 'prod' };
  const { pipelineExecutionId } = await client.executions.start(input);
  const status = async () => (await client.executions.get({ projectId, pipelineExecutionId })).result.status;
  expect(await status()).toBe('QUEUED');
  await act(platform, slow, 'stop');
  expect(await status()).toBe('FORBIDDEN');
});

test('the page of the runners has a button for each action, which leads back to the page', async () => {
  await using platform = await talk({ seed });
  const { baseUrl } = platform.platform;
  const accept = 'text/html';
  const page = await fetch(`${baseUrl}/_platform/runners`, { headers: { accept } });
  const html = await page.text();
  for (const label of ['Start', 'Pause', 'Stop']) expect(html).toContain(`aria-label="${label} slow"`);
  const { status, headers } = await fetch(`${baseUrl}/_platform/runners/${slow}/start`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(),
  });
  expect([status, headers.get('location')]).toEqual([303, '/_platform/runners']);
});
