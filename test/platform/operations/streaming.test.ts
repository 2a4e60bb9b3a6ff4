import { expect, test } from 'vitest';
import { streamingDefinition } from '../../environment/streaming-definition.ts';
import { field, resultsOf, type Talk, talk } from '../talk.ts';

const definition = streamingDefinition('11111111-2222-4333-8444-555555555555', 'relational');

/** The definition with one value replaced, or removed where it is `undefined`. */
function withValue(path: string, value: unknown): unknown {
  const copy = structuredClone(definition) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let place = copy;
  for (const step of steps) place = place[step] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

async function define(platform: Talk): Promise<string> {
  const created = await platform.post(`${platform.project}/streaming-pipelines`, definition);
  return `${platform.project}/streaming-pipelines/${field(created, 'streamingPipelineId')}`;
}

test('a definition is created, answered with its id, and read back (§4.2)', async () => {
  await using platform = await talk();
  const created = await platform.post(`${platform.project}/streaming-pipelines`, definition);
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    streamingPipelineId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...definition,
  });
  const id = field(created, 'streamingPipelineId');
  const read = await platform.get(`${platform.project}/streaming-pipelines/${id}`);
  expect(read).toMatchObject({ status: 200, body: created.body });
});

test('an incomplete definition is refused with the exact body of §7', async () => {
  await using platform = await talk();
  const body = structuredClone(definition) as Record<string, unknown>;
  (body['streamingSource'] as typeof definition.streamingSource).connection.username = '';
  delete (body['streamingTarget'] as { connection: { authentication?: unknown } }).connection.authentication;
  const answer = await platform.post(`${platform.project}/streaming-pipelines`, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    title: 'Bad Request',
    status: 400,
    detail: 'The streaming pipeline definition is incomplete or invalid.',
    instance: `${platform.project}/streaming-pipelines`,
    'validation-errors': [
      { field: 'streamingSource.connection.username', message: 'must not be empty' },
      { field: 'streamingTarget.connection.authentication', message: 'must not be null' },
    ],
  });
});

test.each([
  ['name', undefined, 'must not be null'],
  ['name', null, 'must not be null'],
  ['agentId', 'x', /^is wrong/],
  ['streamingSource', undefined, 'must not be null'],
  ['streamingSource.connection.port', '5432', /^is wrong/],
  ['streamingSource.connection.port', 70_000, /^is wrong/],
  ['streamingSource.connection.password', 'hunter2', 'must be a secret reference'],
  ['streamingTarget.connection.authentication.privateKey', 'PEM', 'must be a secret reference'],
  ['streamingTarget.connection.authentication.passphrase', 'x', 'must be a secret reference'],
  ['streamingTarget.connection.authentication.type', 'password', /^is wrong/],
  ['streamingTarget.colour', 'red', 'is not a known field'],
  ['advancedProperties', { 'batch.size': 5 }, /^is wrong/],
])('a definition whose %s is %j is refused (§2.5)', async (path, value, message) => {
  await using platform = await talk();
  const answer = await platform.post(`${platform.project}/streaming-pipelines`, withValue(path, value));
  expect(answer.status).toBe(400);
  const [error] = (answer.body as { 'validation-errors': { field: string; message: string }[] })[
    'validation-errors'
  ];
  expect(error?.field).toContain(path);
  expect(error?.message).toMatch(message);
  expect(JSON.stringify(answer.body)).not.toContain('hunter2');
});

test('a start goes through starting to streaming, a stop through stopping to not_running, by the clock (§3.1)', async () => {
  await using platform = await talk();
  const pipeline = await define(platform);
  const status = async () => field(await platform.get(`${pipeline}/status`), 'status');
  expect(await status()).toBe('not_running');
  expect((await platform.post(`${pipeline}/commands`, { command: 'start' })).status).toBe(200);
  expect(await status()).toBe('starting');
  await platform.clock.advance(999);
  expect(await status()).toBe('starting');
  await platform.clock.advance(1);
  expect(await status()).toBe('streaming');
  expect((await platform.post(`${pipeline}/commands`, { command: 'stop' })).status).toBe(200);
  expect(await status()).toBe('stopping');
  await platform.clock.advance(1000);
  expect(await status()).toBe('not_running');
});

test('a command that changes nothing is received and leaves the state and the audit log alone (§3.1, §6)', async () => {
  await using platform = await talk();
  const pipeline = await define(platform);
  await platform.post(`${pipeline}/commands`, { command: 'stop' });
  await platform.post(`${pipeline}/commands`, { command: 'start' });
  await platform.clock.advance(1000);
  expect((await platform.post(`${pipeline}/commands`, { command: 'start' })).status).toBe(200);
  expect(field(await platform.get(`${pipeline}/status`), 'status')).toBe('streaming');
  const events = resultsOf(await platform.get('/v1/events')).map((entry) => entry['eventName']);
  expect(events).toEqual(['Streaming pipeline started', 'Streaming pipeline created']);
});

test('only start and stop are commands, and an unknown pipeline is answered 404 (§4.2)', async () => {
  await using platform = await talk();
  const pipeline = await define(platform);
  expect((await platform.post(`${pipeline}/commands`, { command: 'pause' })).status).toBe(400);
  expect((await platform.post(`${pipeline}/commands`, {})).status).toBe(400);
  const unknown = `${platform.project}/streaming-pipelines/nowhere`;
  for (const answer of [
    await platform.get(unknown),
    await platform.get(`${unknown}/status`),
    await platform.post(`${unknown}/commands`, { command: 'start' }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { status: 404 } });
});

test('the ledger holds what changed: created, started once, stopped once', async () => {
  await using platform = await talk();
  const path = `${platform.project}/streaming-pipelines`;
  const id = field(await platform.post(path, definition), 'streamingPipelineId');
  for (const command of ['start', 'start', 'stop', 'stop'])
    expect((await platform.post(`${path}/${id}/commands`, { command })).status).toBeLessThan(300);
  expect(platform.platform.ledger({ subject: id }).map(({ effect }) => effect)).toEqual([
    'created',
    'started',
    'stopped',
  ]);
});
