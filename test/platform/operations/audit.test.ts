import { expect, test } from 'vitest';
import { field, resultsOf, talk } from '../talk.ts';

const day = 24 * 60 * 60 * 1000;
const definition = { name: 'finance', warehouse: 'WAREHOUSE_ONE', agentDeploymentType: 'HYBRID' };

test('operations write their own entries, newest first, and only where §6 has an event (§4.7, §6)', async () => {
  await using platform = await talk();
  const created = await platform.post('/v1/projects', definition);
  const project = `/v1/projects/${field(created, 'projectId')}`;
  await platform.post(`${project}/data-platform-connections`, {
    name: 'main',
    platformConnectionType: 'dwh',
    authProvider: 'warehouse_one',
    authType: 'key_pair',
  });
  await platform.post(`${project}/environments`, {
    name: 'uat',
    defaultAgentId: '11111111-2222-4333-8444-555555555555',
    defaultUserAccessLevel: 'default',
    defaultConnections: { DWH: { warehouse_one: 'main' } },
    connectionOverrides: [],
  });
  await platform.post(`${project}/repositories`, {
    provider: 'git-host',
    providerParameters: { ownerName: 'demo' },
    repositoryName: 'finance',
  });
  await platform.publish('1');
  await platform.post(`${platform.project}/artifacts/promotions`, {
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: '1',
  });
  const set = (enabled: boolean) =>
    platform.patch(`${platform.project}/artifacts`, { environmentName: 'dev', versionName: '1', enabled });
  await set(false);
  await set(false);
  await set(true);
  await platform.post(`${platform.project}/variables`, { name: 'v', type: 'TEXT', behaviour: 'SHARED' });
  const events = await platform.get('/v1/events');
  expect(resultsOf(events).map((entry) => entry['eventName'])).toEqual([
    'Artifact disabled',
    'Artifact created',
    'Environment created',
    'Project created',
  ]);
  expect(resultsOf(events)[3]).toEqual({
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    eventName: 'Project created',
    eventType: 'PROJECT_CREATED',
    eventDescription: 'Project "finance" was created',
    eventTimestamp: '2031-01-01T12:00:00.000Z',
    eventProjectId: field(created, 'projectId'),
    eventSource: 'API',
    eventSubjectId: field(created, 'projectId'),
    eventSubjectName: 'finance',
    eventSubjectType: 'project',
    actorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    actorEmail: 'super-admin@example.com',
    additionalInfo: 'projects.create',
  });
});

test('a refused operation and a seed write no entry (§6)', async () => {
  await using platform = await talk();
  await platform.post('/v1/projects', { ...definition, name: '' });
  await platform.publish('1', { 'a.sql': 'select 1' });
  expect((await platform.get('/v1/events')).body).toEqual({ page: 0, results: [], size: 25, total: 0 });
});

test('entries older than a rolling 90 days are not available (§6, §8)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  const total = async (query = '') => field(await platform.get(`/v1/events${query}`), 'total');
  await platform.clock.advance(90 * day);
  expect(await total()).toBe('1');
  await platform.clock.advance(1);
  expect(await total()).toBe('0');
  expect(await total('?from=2030-01-01T00:00:00Z')).toBe('0');
});

test('from and to limit the time, with offsets, both ends included (§4.7)', async () => {
  await using platform = await talk();
  for (const version of ['1', '2', '3']) {
    await platform.publish(version);
    await platform.clock.advance(60 * 60 * 1000);
  }
  const names = async (query: Record<string, string>) =>
    resultsOf(await platform.get(`/v1/events?${new URLSearchParams(query).toString()}`)).map(
      (entry) => entry['eventSubjectName'],
    );
  expect(await names({ from: '2031-01-01T15:00:00+02:00' })).toEqual(['3', '2']);
  expect(await names({ to: '2031-01-01T13:00:00Z' })).toEqual(['2', '1']);
  expect(await names({ from: '2031-01-01T12:30:00Z', to: '2031-01-01T13:30:00.000Z' })).toEqual(['2']);
});

test('an offset whose plus sign is not encoded reads as a space and is refused (unknowns §7)', async () => {
  await using platform = await talk();
  expect((await platform.get('/v1/events?from=2031-01-01T15:00:00+02:00')).status).toBe(400);
  expect((await platform.get('/v1/events?from=2031-01-01T15:00:00')).status).toBe(400);
  expect((await platform.get('/v1/events?from=yesterday')).status).toBe(400);
});

test('pages follow each other without a gap or an overlap (§4.7)', async () => {
  await using platform = await talk();
  for (let i = 1; i <= 5; i += 1) await platform.publish(String(i));
  const page = async (number: number) =>
    resultsOf(await platform.get(`/v1/events?page=${String(number)}&size=2`)).map(
      (entry) => entry['eventSubjectName'],
    );
  expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([
    ['5', '4'],
    ['3', '2'],
    ['1'],
    [],
  ]);
});

test('only a Super Admin reads the audit log (§5 rule 4)', async () => {
  await using platform = await talk();
  const { admin, member } = platform.platform.tokens;
  for (const token of [admin, member])
    expect(await platform.get('/v1/events', { token })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('needs the Super Admin role'), status: 403 },
    });
});
