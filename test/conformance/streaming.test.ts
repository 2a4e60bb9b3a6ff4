import { expect } from 'vitest';
import { streamingDefinition } from '../environment/streaming-definition.ts';
import { conforms } from './conforms.ts';
import { fieldOf, provision } from './project.ts';
import { openServer } from './server.ts';

const server = await openServer();
const project = await provision(server);
const definition = () => streamingDefinition(server.agent, 'postgres');
const create = (body: unknown) => project.send('POST', '/streaming-pipelines', { body });

async function created(): Promise<string> {
  const answer = await create(definition());
  expect(answer.status).toBe(201);
  return `/streaming-pipelines/${String(fieldOf(answer.body, 'streamingPipelineId'))}`;
}

/** The status in lower case: it is shown so, and seen in upper case. */
async function statusOf(path: string): Promise<string> {
  const answer = await project.send('GET', `${path}/status`);
  expect(answer.status).toBe(200);
  return String(fieldOf(answer.body, 'status')).toLowerCase();
}

async function until(path: string, wanted: (status: string) => boolean): Promise<void> {
  while (!wanted(await statusOf(path))) await new Promise((resolve) => setTimeout(resolve, 50));
}

conforms(
  [
    'POST /v1/projects/{projectId}/streaming-pipelines',
    'GET /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}',
    '§2.5 the id is generated',
  ],
  'a definition comes back with an id, and the same when it is read',
  async () => {
    const answer = await create(definition());
    expect(answer).toMatchObject({ status: 201, body: definition() });
    const id = String(fieldOf(answer.body, 'streamingPipelineId'));
    expect(id).toMatch(/^[0-9a-f-]{36}$/i);
    const read = await project.send('GET', `/streaming-pipelines/${id}`);
    expect(read).toMatchObject({ status: 200, body: definition() });
    const again = await create(definition());
    expect(fieldOf(again.body, 'streamingPipelineId')).not.toBe(id);
  },
);

conforms(
  ['§7 400 streaming definition'],
  'what is missing or empty is named by field and message, in the form of §7',
  async () => {
    const body = definition();
    const incomplete = {
      ...body,
      streamingSource: {
        ...body.streamingSource,
        connection: { ...body.streamingSource.connection, username: '' },
      },
      streamingTarget: {
        ...body.streamingTarget,
        connection: { ...body.streamingTarget.connection, authentication: null },
      },
    };
    const answer = await create(incomplete);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      title: 'Bad Request',
      status: 400,
      detail: expect.any(String),
      instance: `${project.path}/streaming-pipelines`,
    });
    const faults = fieldOf(answer.body, 'validation-errors') as { field: string; message: string }[];
    expect(faults.find(({ field }) => field.endsWith('connection.username'))?.message).toBe(
      'must not be empty',
    );
    expect(faults.find(({ field }) => field.endsWith('connection.authentication'))?.message).toBe(
      'must not be null',
    );
  },
);

conforms(['§2.5 secrets are references'], 'a password in clear text is refused', async () => {
  const body = definition();
  const answer = await create({
    ...body,
    streamingSource: {
      ...body.streamingSource,
      connection: { ...body.streamingSource.connection, password: 'in clear text' },
    },
  });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).not.toContain('in clear text');
});

conforms(
  [
    'POST /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}/commands',
    'GET /v1/projects/{projectId}/streaming-pipelines/{streamingPipelineId}/status',
    '§3.1 start',
    '§3.1 stop',
  ],
  'a start is taken and the pipeline starts or streams; a stop is taken and it does so no longer',
  async () => {
    const path = await created();
    const command = (word: string) => project.send('POST', `${path}/commands`, { body: { command: word } });
    const before = await statusOf(path);
    expect(['starting', 'streaming']).not.toContain(before);
    expect((await command('start')).status).toBe(200);
    await until(path, (status) => ['starting', 'streaming', 'snapshotting'].includes(status));
    await until(path, (status) => status === 'streaming');
    expect((await command('stop')).status).toBe(200);
    await until(path, (status) => !['starting', 'streaming', 'snapshotting', 'stopping'].includes(status));
    expect((await command('pause')).status).toBe(400);
  },
);
