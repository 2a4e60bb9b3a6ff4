import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { fieldOf, longOrchestration, provision, type Project } from './project.ts';
import { openServer } from './server.ts';

const server = await openServer();

const start = (project: Project, body: Readonly<Record<string, unknown>>) =>
  project.send('POST', '/pipeline-executions', { body: { environmentName: 'dev', ...body } });
const idOf = (answer: { readonly body: unknown }): string =>
  String(fieldOf(answer.body, 'pipelineExecutionId'));
const terminate = (project: Project, id: string) =>
  project.send('PATCH', `/pipeline-executions/${id}`, { body: { forceUpdate: true, status: 'CANCELLED' } });

conforms(
  [
    'POST /v1/projects/{projectId}/pipeline-executions',
    'GET /v1/projects/{projectId}/pipeline-executions/{pipelineExecutionId}',
    '§3.2 start',
  ],
  'a started execution runs, and its record says when it began and when it ended',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    const started = await start(project, { pipelineName: 'daily/load' });
    expect([200, 201]).toContain(started.status);
    expect(idOf(started)).toMatch(/^[0-9a-f-]{36}$/i);
    const first = await project.send('GET', `/pipeline-executions/${idOf(started)}`);
    expect(first.status).toBe(200);
    expect(fieldOf(first.body, 'result', 'status')).toEqual(expect.any(String));
    const last = await project.untilEnded(idOf(started));
    expect(Date.parse(String(last['startedAt']))).toBeLessThanOrEqual(Date.parse(String(last['finishedAt'])));
    expect(String(last['status']).toUpperCase()).toBe('SUCCESS');
  },
);

conforms(
  ['POST /v1/projects/{projectId}/pipeline-executions'],
  'only what is published can be started, with a pipeline and an environment',
  async () => {
    const project = await provision(server);
    expect((await start(project, { pipelineName: 'daily/load' })).status).toBe(404);
    await project.publish('1');
    expect((await start(project, { pipelineName: 'daily/unknown' })).status).toBe(404);
    expect((await start(project, { pipelineName: 'daily/load', environmentName: 'nowhere' })).status).toBe(
      404,
    );
    expect((await start(project, { pipelineName: 'daily/load', versionName: '2' })).status).toBe(404);
    expect((await start(project, {})).status).toBe(400);
    const unknown = await project.send('GET', '/pipeline-executions/00000000-0000-4000-8000-000000000000');
    expect(unknown.status).toBe(404);
  },
);

conforms(
  ['§4.4 rule 1', '§9 rule 3'],
  'without a version the latest that was published to the environment is run, with one that one',
  async () => {
    const project = await provision(server);
    const files = { 'only/in-one.orch.yaml': longOrchestration };
    await project.publish('1', files);
    await project.publish('2', { 'only/in-two.orch.yaml': longOrchestration });
    expect((await start(project, { pipelineName: 'only/in-one' })).status).toBe(404);
    const latest = await start(project, { pipelineName: 'only/in-two' });
    const named = await start(project, { pipelineName: 'only/in-one', versionName: '1' });
    expect([latest.status, named.status].every((status) => status < 300)).toBe(true);
    await terminate(project, idOf(latest));
    await terminate(project, idOf(named));
  },
);

conforms(
  ['§4.4 rule 2', '§7 409 executionTag'],
  'a tag that is running refuses a second start with 409; another tag does not, and an ended one is free again',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    const first = await start(project, { pipelineName: 'daily/long', executionTag: 'nightly' });
    expect(first.status).toBeLessThan(300);
    const second = await start(project, { pipelineName: 'daily/long', executionTag: 'nightly' });
    expect(second).toMatchObject({ status: 409, body: { error: expect.any(String), status: 409 } });
    const other = await start(project, { pipelineName: 'daily/long', executionTag: 'weekly' });
    const untagged = await start(project, { pipelineName: 'daily/long' });
    expect([other.status, untagged.status].every((status) => status < 300)).toBe(true);

    for (const answer of [first, other, untagged]) await terminate(project, idOf(answer));
    await project.untilEnded(idOf(first));
    const third = await start(project, { pipelineName: 'daily/long', executionTag: 'nightly' });
    expect(third.status).toBeLessThan(300);
    await terminate(project, idOf(third));
  },
);

conforms(['§4.4 rule 2'], 'of many starts with one tag at the same moment exactly one is taken', async () => {
  const project = await provision(server);
  await project.publish('1');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => start(project, { pipelineName: 'daily/long', executionTag: 'race' })),
  );
  const taken = answers.filter(({ status }) => status < 300);
  expect(taken).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  for (const answer of taken) await terminate(project, idOf(answer));
});

conforms(
  ['PATCH /v1/projects/{projectId}/pipeline-executions/{pipelineExecutionId}', '§3.2 terminate'],
  'a running execution is terminated: its id comes back, and it ends without success',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    const id = idOf(await start(project, { pipelineName: 'daily/long' }));
    const answer = await terminate(project, id);
    expect(answer).toMatchObject({ status: 200, body: { pipelineExecutionId: id } });
    const last = await project.untilEnded(id);
    expect(String(last['status']).toUpperCase()).not.toBe('SUCCESS');
    expect(last['finishedAt']).toEqual(expect.any(String));
    expect((await terminate(project, '00000000-0000-4000-8000-000000000000')).status).toBe(404);
  },
);
