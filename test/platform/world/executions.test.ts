import { expect, test } from 'vitest';
import { orchestration } from '../../environment/orchestration.ts';
import { type Answer, field, form, type Talk, talk } from '../talk.ts';

/** One component between start and end: takes `componentTime`, 50 ms. */
const slow = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["Load"]
    Load:
      type: "sql-executor"
      parameters:
        componentName: "Load"
        sqlScript: "select 1"
      transitions:
        success: ["Done"]
        failure: ["Failed"]
    Done:
      type: "end-success"
    Failed:
      type: "end-failure"
`;

const start = (platform: Talk, body: Record<string, unknown> = {}) =>
  platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'daily/load',
    environmentName: 'dev',
    ...body,
  });

const read = async (platform: Talk, started: Answer) => {
  const path = `${platform.project}/pipeline-executions/${field(started, 'pipelineExecutionId')}`;
  return ((await platform.get(path)).body as { result: Record<string, unknown> }).result;
};

const files = { 'daily/load.orch.yaml': slow };

/** Lets the walk continue until only the clock holds it. */
const untilRunning = (platform: Talk) => platform.clock.asleep();

async function untilEnded(platform: Talk, started: Answer): Promise<Record<string, unknown>> {
  for (let i = 0; i < 100; i += 1) {
    const result = await read(platform, started);
    if (result['finishedAt'] !== null) return result;
    await platform.clock.advance(50);
  }
  throw new Error('The execution does not end');
}

test('an execution starts, runs by the clock and ends SUCCESS with its times (§4.4, §3.2)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const started = await start(platform);
  expect(started).toMatchObject({
    status: 201,
    body: { pipelineExecutionId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  await untilRunning(platform);
  expect(await read(platform, started)).toMatchObject({
    status: 'RUNNING',
    startedAt: '2031-01-01T12:00:00.000Z',
    finishedAt: null,
  });
  const ended = await untilEnded(platform, started);
  expect(ended['status']).toBe('SUCCESS');
  expect(ended['message']).toMatch(/simulated/i);
  expect(Date.parse(String(ended['finishedAt']))).toBeGreaterThan(Date.parse('2031-01-01T12:00:00.000Z'));
  expect(Object.keys(ended).toSorted()).toEqual(['finishedAt', 'message', 'startedAt', 'status']);
});

test('a scripted failure ends the execution FAILED, naming the component (§2.7)', async () => {
  const seed = {
    projects: [{ name: 'p', environments: ['dev'] }],
    credentials: [{ name: 'boss', role: 'superAdmin' as const }],
    executions: [
      {
        pipeline: 'daily/load',
        component: 'Load',
        outcome: 'failure' as const,
        after: '1s',
        message: 'No such table',
      },
    ],
  };
  await using platform = await talk({ seed });
  await platform.publish('1', files);
  const ended = await untilEnded(platform, await start(platform));
  expect(ended['status']).toBe('FAILED');
  expect(ended['message']).toContain('Load');
});

test('without a version the newest enabled one runs, with one that one (§4.4 rule 1, §3.3)', async () => {
  await using platform = await talk();
  await platform.publish('1', { 'old.orch.yaml': orchestration });
  await platform.publish('2', { 'new.orch.yaml': orchestration });
  const status = async (pipelineName: string, versionName?: string) =>
    (await start(platform, { pipelineName, ...(versionName === undefined ? {} : { versionName }) })).status;
  expect(await status('new')).toBe(201);
  expect(await status('old')).toBe(404);
  expect(await status('old', '1')).toBe(201);
  await platform.patch(`${platform.project}/artifacts`, {
    environmentName: 'dev',
    versionName: '2',
    enabled: false,
  });
  expect(await status('old')).toBe(201);
  expect(await status('new')).toBe(404);
});

test('a pipeline is named by its path, with or without its suffix (unknowns §2)', async () => {
  await using platform = await talk();
  await platform.publish('1', {
    'a b/x.orch.yaml': orchestration,
    'y.tran.yaml': 'type: "transformation"\npipeline: {}\n',
  });
  const statuses = [];
  for (const pipelineName of [
    'a b/x',
    'a b/x.orch.yaml',
    'y',
    'y.tran.yaml',
    'x',
    'a b/x.tran.yaml',
    'a b/x.yaml',
  ])
    statuses.push((await start(platform, { pipelineName })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 404, 404, 404]);
});

test('an unknown environment, version or pipeline is answered 404, a disabled version 410 (unknowns §2, §3)', async () => {
  await using platform = await talk();
  expect(await start(platform)).toMatchObject({
    status: 404,
    body: { error: 'The environment "dev" has no enabled version.', status: 404 },
  });
  await platform.publish('1', files);
  const say = async (body: Record<string, unknown>) => (await start(platform, body)).body;
  expect(await say({ environmentName: 'moon' })).toEqual({
    error: 'The environment "moon" does not exist.',
    status: 404,
  });
  expect(await say({ versionName: '2' })).toEqual({
    error: 'The environment "dev" has no version "2".',
    status: 404,
  });
  expect(await say({ pipelineName: 'none' })).toEqual({
    error: 'The version "1" in "dev" has no pipeline "none".',
    status: 404,
  });
  await platform.patch(`${platform.project}/artifacts`, {
    environmentName: 'dev',
    versionName: '1',
    enabled: false,
  });
  expect(await say({ versionName: '1' })).toEqual({
    error: 'The version "1" is disabled in "dev".',
    status: 410,
  });
  expect((await start(platform)).status).toBe(404);
});

test('a tag is refused while an execution with it runs, and free again after its end (§4.4 rule 2, §7)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const first = await start(platform, { executionTag: 'nightly' });
  expect(await start(platform, { executionTag: 'nightly' })).toMatchObject({
    status: 409,
    body: { error: 'An execution with the tag "nightly" is still running in "dev".', status: 409 },
  });
  expect((await start(platform, { executionTag: 'other' })).status).toBe(201);
  expect((await start(platform)).status).toBe(201);
  await untilEnded(platform, first);
  expect((await start(platform, { executionTag: 'nightly' })).status).toBe(201);
});

test('a tag guards within its project and environment only (unknowns §2)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  await platform.publish('1', files, { environmentName: 'test' });
  await start(platform, { executionTag: 'nightly' });
  expect((await start(platform, { executionTag: 'nightly', environmentName: 'test' })).status).toBe(201);
});

test('of many starts with one tag at the same time exactly one is accepted (§4.4 rule 2)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => start(platform, { executionTag: 'one' })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
});

test('an execution is terminated by force, and its tag is free again (§3.2, unknowns §2)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const started = await start(platform, { executionTag: 'nightly' });
  await untilRunning(platform);
  const path = `${platform.project}/pipeline-executions/${field(started, 'pipelineExecutionId')}`;
  const terminated = await platform.patch(path, { status: 'CANCELLED', forceUpdate: true });
  expect(terminated).toMatchObject({ status: 200, body: started.body });
  await expect.poll(async () => (await read(platform, started))['status']).toBe('CANCELLED');
  expect((await start(platform, { executionTag: 'nightly' })).status).toBe(201);
  expect((await platform.patch(path, { status: 'CANCELLED', forceUpdate: true })).status).toBe(200);
});

test('terminating takes the status CANCELLED and forceUpdate, nothing else (§2.7)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const path = `${platform.project}/pipeline-executions/${field(await start(platform), 'pipelineExecutionId')}`;
  expect((await platform.patch(path, { status: 'SUCCESS', forceUpdate: true })).status).toBe(400);
  expect((await platform.patch(path, { status: 'CANCELLED' })).status).toBe(400);
  expect((await platform.patch(path, { status: 'CANCELLED', forceUpdate: 'yes' })).status).toBe(400);
});

test('an unknown execution is answered 404, and so is another project’s (§4.4)', async () => {
  await using platform = await talk();
  await platform.publish('1', files);
  const id = field(await start(platform), 'pipelineExecutionId');
  const created = await platform.post('/v1/projects', {
    name: 'q',
    warehouse: 'WAREHOUSE_ONE',
    agentDeploymentType: 'HYBRID',
  });
  const other = `/v1/projects/${field(created, 'projectId')}/pipeline-executions`;
  const cancel = { status: 'CANCELLED', forceUpdate: true };
  for (const answer of [
    await platform.get(`${platform.project}/pipeline-executions/none`),
    await platform.patch(`${platform.project}/pipeline-executions/none`, cancel),
    await platform.get(`${other}/${id}`),
    await platform.patch(`${other}/${id}`, cancel),
  ])
    expect(answer).toMatchObject({ status: 404, body: { status: 404 } });
});

test('project variables and their overrides reach the execution (§4.6)', async () => {
  const check = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["Is it east"]
    Is it east:
      type: "if"
      parameters:
        componentName: "Is it east"
        mode: "Simple"
        condition:
          - ["region", "Is", "Equal to", "east"]
        combineConditions: "And"
      transitions:
        "true": ["Done"]
        "false": ["Failed"]
    Done:
      type: "end-success"
    Failed:
      type: "end-failure"
`;
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, {
    name: 'region',
    type: 'TEXT',
    behaviour: 'SHARED',
    value: 'north',
  });
  await platform.post(`${platform.project}/variables/region/environment-overrides`, {
    overrides: [{ environmentName: 'test', value: 'east' }],
  });
  await platform.publish('1', { 'daily/load.orch.yaml': check });
  await platform.publish('1', { 'daily/load.orch.yaml': check }, { environmentName: 'test' });
  expect((await untilEnded(platform, await start(platform, { environmentName: 'test' })))['status']).toBe(
    'SUCCESS',
  );
  expect((await untilEnded(platform, await start(platform)))['status']).toBe('FAILED');
});

test('a called shared pipeline is the newest enabled version of its prefix (§2.11)', async () => {
  const caller = slow
    .replace('sql-executor', 'run-shared-pipeline')
    .replace('sqlScript: "select 1"', 'pipelineName: "finance#convert"\n        version: "[Latest]"');
  const list =
    'type: "shared-pipelines-config"\npipelines:\n  - pipeline: "convert.orch.yaml"\n    id: "convert"\n';
  await using platform = await talk();
  await platform.publish('1', { 'daily/load.orch.yaml': caller });
  const publish = (versionName: string, text: string) =>
    platform.post(
      '/v1/shared-pipelines/artifacts',
      form({ '.platform/shared-pipelines.yaml': list, 'convert.orch.yaml': text }),
      { headers: { sharedPipelineIdPrefix: 'finance', versionName } },
    );
  await publish('1', orchestration);
  await publish('2', orchestration.replace('end-success', 'end-failure'));
  expect((await untilEnded(platform, await start(platform)))['status']).toBe('FAILED');
  await platform.patch('/v1/shared-pipelines/artifacts', {
    sharedPipelineIdPrefix: 'finance',
    versionName: '2',
    enabled: false,
  });
  expect((await untilEnded(platform, await start(platform)))['status']).toBe('SUCCESS');
});
