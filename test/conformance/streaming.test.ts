import { expect } from 'vitest';
import { streamingDefinition } from '../environment/streaming-definition.ts';
import { conforms } from './conforms.ts';
import { fieldOf, provision } from './project.ts';
import type { Answer } from './server.ts';
import {
  needsCapture,
  needsReader,
  needsRunner,
  needsRunners,
  needsSimulation,
  openCapturingServer,
  openServer,
  send,
  type Server,
} from './server.ts';

const server = await openServer();
const project = await provision(server);
const capturing = await openCapturingServer();
const definition = (at: Server = server) => streamingDefinition(at.agent, 'postgres');
const create = (body: unknown, on = project) => on.send('POST', '/streaming-pipelines', { body });
const pathOf = (answer: Answer) =>
  `/streaming-pipelines/${String(fieldOf(answer.body, 'streamingPipelineId'))}`;
const commandTo = (path: string, command: string, on = project) =>
  on.send('POST', `${path}/commands`, { body: { command } });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const runs = ['starting', 'snapshotting', 'streaming'];
const statuses = [...runs, 'stopping', 'not_running', 'unknown'];

async function created(): Promise<string> {
  const answer = await create(definition());
  expect(answer.status).toBe(201);
  return pathOf(answer);
}

/** The status in lower case: it is shown so, and seen in upper case. */
async function statusOf(path: string, on = project): Promise<string> {
  const answer = await on.send('GET', `${path}/status`);
  expect(answer.status).toBe(200);
  return String(fieldOf(answer.body, 'status')).toLowerCase();
}

async function until(path: string, wanted: (status: string) => boolean, on = project): Promise<void> {
  while (!wanted(await statusOf(path, on))) await pause();
}

/** Creates and starts a pipeline that cannot capture anything, and returns its last status. Undefined: it was refused. */
async function failedStart(secretName: string, port: number): Promise<unknown> {
  const own = await provision(capturing);
  const { streamingSource, ...rest } = definition(capturing);
  const password = { ...streamingSource.connection.password, secretName };
  const connection = { ...streamingSource.connection, host: '127.0.0.1', port, password };
  const answer = await create({ ...rest, streamingSource: { ...streamingSource, connection } }, own);
  if (answer.status >= 400) return undefined;
  const path = pathOf(answer);
  if ((await commandTo(path, 'start', own)).status >= 400) return undefined;
  let last: unknown;
  // A server may try again for long.
  for (let poll = 0; poll < 100; poll += 1) {
    last = (await own.send('GET', `${path}/status`)).body;
    const status = String(fieldOf(last, 'status')).toLowerCase();
    expect(['snapshotting', 'streaming']).not.toContain(status);
    if (status !== 'starting' || fieldOf(last, 'reason') !== undefined) break;
    await pause();
  }
  await commandTo(path, 'stop', own);
  await until(path, (status) => ![...runs, 'stopping'].includes(status), own);
  return last;
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
    const command = (word: string) => commandTo(path, word);
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

conforms(
  ['§3.1 statuses', '§4.2 fields of the status'],
  'each status on the way is a known one, and what a server adds to it has the documented types',
  async () => {
    const path = await created();
    const seen = async () => {
      const { body } = await project.send('GET', `${path}/status`);
      const status = String(fieldOf(body, 'status')).toLowerCase();
      expect(statuses).toContain(status);
      for (const field of ['reason', 'hint']) expect(typeof (fieldOf(body, field) ?? '')).toBe('string');
      expect(typeof (fieldOf(body, 'simulated') ?? true)).toBe('boolean');
      for (const unit of ['bytes', 'seconds'])
        expect(Number(fieldOf(body, 'lag', unit) ?? 0)).toBeGreaterThanOrEqual(0);
      return status;
    };
    expect(runs).not.toContain(await seen());
    await commandTo(path, 'start');
    while ((await seen()) !== 'streaming') await pause();
    await commandTo(path, 'stop');
    while ([...runs, 'stopping'].includes(await seen())) await pause();
  },
);

conforms(
  ['§3.1 simulated'],
  'a server that captures nothing says so in each status',
  async () => {
    const path = await created();
    const isSimulated = async () => fieldOf((await project.send('GET', `${path}/status`)).body, 'simulated');
    expect(await isSimulated()).toBe(true);
    await commandTo(path, 'start');
    expect(await isSimulated()).toBe(true);
    await until(path, (status) => status === 'streaming');
    expect(await isSimulated()).toBe(true);
  },
  needsSimulation(server),
);

conforms(
  ['§3.1 commands that change nothing'],
  'a start of what starts and a stop of what has stopped are accepted or a conflict; a stop also ends what only starts',
  async () => {
    const path = await created();
    const isHarmless = ({ status }: Answer) => status < 300 || status === 409;
    expect(isHarmless(await commandTo(path, 'stop'))).toBe(true);
    expect(runs).not.toContain(await statusOf(path));
    expect((await commandTo(path, 'start')).status).toBe(200);
    expect(isHarmless(await commandTo(path, 'start'))).toBe(true);
    expect((await commandTo(path, 'stop')).status).toBe(200);
    await until(path, (status) => ![...runs, 'stopping'].includes(status));
    expect(isHarmless(await commandTo(path, 'stop'))).toBe(true);
    expect(runs).not.toContain(await statusOf(path));
    expect((await commandTo(path, 'start')).status).toBe(200);
    await until(path, (status) => status === 'streaming');
    expect(isHarmless(await commandTo(path, 'start'))).toBe(true);
    expect(await statusOf(path)).toBe('streaming');
  },
);

conforms(
  ['§3.1 a failed start'],
  'a pipeline whose source does not answer never streams, and does not claim to be simulated',
  async () => {
    const last = await failedStart('conformance', 1);
    expect(fieldOf(last, 'simulated') ?? false).toBe(false);
  },
  needsCapture(capturing),
);

conforms(
  ['§2.5 a secret that does not resolve'],
  'a pipeline with a reference to a missing secret is refused or never streams, and a reason names the reference',
  async () => {
    const last = await failedStart('conformance-missing', 2);
    const reason = fieldOf(last, 'reason');
    if (typeof reason === 'string') expect(reason).toContain('conformance-missing');
  },
  needsCapture(capturing),
);

conforms(
  ['§2.5 the streaming runner'],
  'a definition whose runner does not exist is refused',
  async () => {
    const answer = await create({ ...definition(), agentId: '99999999-9999-4999-8999-999999999999' });
    expect([400, 404, 409]).toContain(answer.status);
  },
  needsRunners(server),
);

conforms(
  ['§2.5 values of the target'],
  'each shown value of transformationType, tablePrefixType and temporalMapping is accepted and comes back',
  async () => {
    const body = definition();
    for (const more of [
      { transformationType: 'CHANGE_LOG', tablePrefixType: 'PREFIX', temporalMapping: 'NATIVE' },
      { transformationType: 'COPY_TABLE', tablePrefixType: 'SOURCE_DATABASE_AND_SCHEMA' },
      { transformationType: 'COPY_TABLE_SOFT_DELETE', tablePrefixType: 'NONE', temporalMapping: 'EPOCH' },
    ]) {
      const streamingTarget = { ...body.streamingTarget, ...more };
      const answer = await create({ ...body, streamingTarget });
      expect(answer).toMatchObject({ status: 201, body: { streamingTarget } });
      const read = await project.send('GET', pathOf(answer));
      expect(read).toMatchObject({ status: 200, body: { streamingTarget } });
    }
  },
);

conforms(
  ['§4.2 unknown streaming pipelines'],
  'a pipeline that does not exist, or belongs to another project, is answered 404',
  async () => {
    const other = await provision(server);
    const places = ['/streaming-pipelines/99999999-9999-4999-8999-999999999999', await created()];
    for (const [nth, path] of places.entries()) {
      const on = nth === 0 ? project : other;
      expect((await on.send('GET', path)).status).toBe(404);
      expect((await on.send('GET', `${path}/status`)).status).toBe(404);
      expect((await commandTo(path, 'start', on)).status).toBe(404);
    }
  },
);

for (const [level, token, need] of [
  ['readOnly', server.reader, needsReader(server)],
  ['runner', server.runner, needsRunner(server)],
] as const)
  conforms(
    ['§2.3 streaming pipelines'],
    `with ${level} a streaming pipeline and its status are read, and none is created, started or stopped`,
    async () => {
      const shared = `/v1/projects/${server.sharedProject ?? ''}/streaming-pipelines`;
      const made = await send(server, 'POST', shared, { body: definition() });
      expect(made.status).toBe(201);
      const path = `${shared}/${String(fieldOf(made.body, 'streamingPipelineId'))}`;
      const as = { token: token ?? '' };
      expect((await send(server, 'GET', path, as)).status).toBe(200);
      expect((await send(server, 'GET', `${path}/status`, as)).status).toBe(200);
      expect((await send(server, 'POST', shared, { ...as, body: definition() })).status).toBe(403);
      for (const command of ['start', 'stop'])
        expect((await send(server, 'POST', `${path}/commands`, { ...as, body: { command } })).status).toBe(
          403,
        );
      const { body } = await send(server, 'GET', `${path}/status`);
      expect(runs).not.toContain(String(fieldOf(body, 'status')).toLowerCase());
    },
    need,
  );
