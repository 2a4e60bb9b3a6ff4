import { expect, test } from 'vitest';
import { orchestration } from '../../environment/orchestration.ts';
import { form, resultsOf, type Talk, talk } from '../talk.ts';

const versions = (answer: Parameters<typeof resultsOf>[0]) =>
  resultsOf(answer).map((row) => `${String(row['environmentName'])}/${String(row['versionName'])}`);

const promote = (platform: Talk, from: string, to: string, versionName: string) =>
  platform.post(`${platform.project}/artifacts/promotions`, {
    sourceEnvironmentName: from,
    targetEnvironmentName: to,
    versionName,
  });

const enable = (platform: Talk, environmentName: string, versionName: string, enabled: boolean) =>
  platform.patch(`${platform.project}/artifacts`, { environmentName, versionName, enabled });

test('an artifact is created from one part per file, and listed with the values of its headers (§4.3)', async () => {
  await using platform = await talk();
  const created = await platform.publish(
    '1.0.0',
    {
      'daily/load.orch.yaml': orchestration,
      'sql/a folder /x.sql': 'select 1',
      'connector-profile:custom-7.json': '{}',
    },
    { branch: 'main' },
  );
  expect(created).toMatchObject({ status: 201, body: { versionName: '1.0.0', ignoredResources: [] } });
  const now = new Date(platform.clock.now()).toISOString();
  expect((await platform.get(`${platform.project}/artifacts/`)).body).toEqual({
    page: 0,
    size: 25,
    total: 1,
    results: [
      {
        versionName: '1.0.0',
        environmentName: 'dev',
        commitHash: 'a1b2c3d',
        branch: 'main',
        enabled: true,
        createdAt: now,
        deployedAt: now,
      },
    ],
  });
});

test('the list has a trailing slash in its path, create and disable have none (§4.3)', async () => {
  await using platform = await talk();
  expect((await platform.get(`${platform.project}/artifacts/`)).status).toBe(200);
  expect((await platform.get(`${platform.project}/artifacts`)).status).toBe(404);
  expect(
    (await platform.post(`${platform.project}/artifacts/`, form({ 'a.orch.yaml': orchestration }))).status,
  ).toBe(404);
});

test('a pipeline that cannot be read is left out and listed in ignoredResources (§2.6)', async () => {
  await using platform = await talk();
  const created = await platform.publish('1', { 'a.orch.yaml': orchestration, 'b.tran.yaml': 'x: [' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    ignoredResources: [{ name: 'b.tran.yaml', reason: expect.stringContaining('Line 1') }],
  });
  expect(
    resultsOf(await platform.get(`${platform.project}/published-pipelines`)).map((row) => row['name']),
  ).toEqual(['a.orch.yaml']);
});

test('a pipeline with a wrong type or version is left out, with its place and the allowed values', async () => {
  await using platform = await talk();
  const created = await platform.publish('1', {
    'a.orch.yaml': orchestration,
    'b.orch.yaml': orchestration.replace('"1.0"', '"9.9"'),
    'c.tran.yaml': 'type: transformatoin\npipeline: {}\n',
  });
  expect(created.body).toMatchObject({
    ignoredResources: [
      { name: 'b.orch.yaml', reason: 'Line 2, column 10: `version` must be "1.0", not "9.9"' },
      {
        name: 'c.tran.yaml',
        reason: 'Line 1, column 7: `type` must be "orchestration" or "transformation", not "transformatoin"',
      },
    ],
  });
});

test('the same version in the same environment is answered 409 and changes nothing (unknowns §3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  const again = await platform.publish('1', { 'other.orch.yaml': orchestration });
  expect(again).toMatchObject({
    status: 409,
    body: { error: 'The environment "dev" already has the version "1".', status: 409 },
  });
  expect(
    resultsOf(await platform.get(`${platform.project}/published-pipelines`)).map((row) => row['name']),
  ).toEqual(['daily/load.orch.yaml']);
  expect((await platform.publish('1', undefined, { environmentName: 'test' })).status).toBe(201);
});

test.each(['versionName', 'environmentName', 'commitHash'])(
  'an artifact without the header %s is refused (§4.3)',
  async (name) => {
    await using platform = await talk();
    const headers: Record<string, string> = { versionName: '1', environmentName: 'dev', commitHash: 'abc' };
    delete headers[name];
    const body = form({ 'a.orch.yaml': orchestration });
    const answer = await platform.post(`${platform.project}/artifacts`, body, { headers });
    expect(answer).toMatchObject({ status: 400, body: { violations: [`header ${name} must not be null`] } });
  },
);

test('an unknown environment is answered 404 on every artifact call (unknowns §3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  const error = { status: 404, body: { error: 'The environment "moon" does not exist.', status: 404 } };
  expect(await platform.publish('2', undefined, { environmentName: 'moon' })).toMatchObject(error);
  expect(await promote(platform, 'dev', 'moon', '1')).toMatchObject(error);
  expect(await promote(platform, 'moon', 'dev', '1')).toMatchObject(error);
  expect(await enable(platform, 'moon', '1', false)).toMatchObject(error);
});

test('a version is promoted once; a second time answers the same and changes nothing (§4.3, unknowns §3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  await platform.clock.advance(60_000);
  const first = await promote(platform, 'dev', 'test', '1');
  expect(first).toMatchObject({ status: 200, body: { environmentName: 'test', versionName: '1' } });
  const listed = await platform.get(`${platform.project}/artifacts/?environmentName=test`);
  expect(resultsOf(listed)[0]).toMatchObject({
    createdAt: '2031-01-01T12:00:00.000Z',
    deployedAt: '2031-01-01T12:01:00.000Z',
  });
  await platform.clock.advance(60_000);
  expect(await promote(platform, 'dev', 'test', '1')).toMatchObject({ status: 200, body: first.body });
  expect((await platform.get(`${platform.project}/artifacts/?environmentName=test`)).body).toEqual(
    listed.body,
  );
});

test('an unknown version is not promoted (404), a disabled one neither (409) (unknowns §3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  await enable(platform, 'dev', '1', false);
  expect(await promote(platform, 'dev', 'test', '2')).toMatchObject({
    status: 404,
    body: { error: 'The environment "dev" has no version "2".', status: 404 },
  });
  expect(await promote(platform, 'dev', 'test', '1')).toMatchObject({
    status: 409,
    body: { error: 'The version "1" is disabled in "dev".', status: 409 },
  });
  expect(versions(await platform.get(`${platform.project}/artifacts/?environmentName=test`))).toEqual([]);
});

test('a disabled version is hidden unless includeDisabled=true, and comes back when enabled (§3.3)', async () => {
  await using platform = await talk();
  await platform.publish('1');
  await platform.publish('2');
  await promote(platform, 'dev', 'test', '2');
  const body = { environmentName: 'dev', versionName: '2', enabled: false };
  expect(await enable(platform, 'dev', '2', false)).toMatchObject({ status: 200, body });
  const list = (query: string) => platform.get(`${platform.project}/artifacts/${query}`);
  expect(versions(await list(''))).toEqual(['test/2', 'dev/1']);
  expect(versions(await list('?includeDisabled=true'))).toEqual(['test/2', 'dev/2', 'dev/1']);
  expect(versions(await list('?includeDisabled=false&environmentName=dev'))).toEqual(['dev/1']);
  expect((await list('?includeDisabled=maybe')).status).toBe(400);
  await enable(platform, 'dev', '2', true);
  expect(versions(await list('?environmentName=dev'))).toEqual(['dev/2', 'dev/1']);
});

test('enabling what does not exist is answered 404, and the body is checked strictly (§4.3)', async () => {
  await using platform = await talk();
  expect((await enable(platform, 'dev', '9', false)).status).toBe(404);
  const answer = await platform.patch(`${platform.project}/artifacts`, {
    environmentName: 'dev',
    versionName: '9',
    enabled: 'no',
    colour: 'red',
  });
  expect(answer.body).toMatchObject({
    violations: [expect.stringContaining('enabled is wrong'), 'colour is not a known field'],
  });
});

test('published pipelines are from the newest enabled version of each environment (§4.4)', async () => {
  await using platform = await talk();
  await platform.publish('1', { 'a.orch.yaml': orchestration, 'x.sql': 'select 1' });
  await platform.publish('2', {
    'b.orch.yaml': orchestration,
    'c.tran.yaml': 'type: "transformation"\npipeline: {}\n',
  });
  const names = async (query = '') =>
    resultsOf(await platform.get(`${platform.project}/published-pipelines${query}`)).map(
      (row) => row['name'],
    );
  expect(await names()).toEqual(['b.orch.yaml', 'c.tran.yaml']);
  await enable(platform, 'dev', '2', false);
  expect(await names()).toEqual(['a.orch.yaml']);
  expect(await names('?environmentName=prod')).toEqual([]);
});

test('connectors are answered as plain arrays, as the seed has them (§2.6, §4.3)', async () => {
  const custom = [{ id: 'c1', name: 'Api', deep: { list: [1] } }];
  const flex = [{ id: 'f1', alternateId: 'flex-one' }];
  const credentials = [{ name: 'one', role: 'member' as const }];
  await using platform = await talk({ seed: { connectors: { custom, flex }, credentials } });
  const { member: token } = platform.platform.tokens;
  expect((await platform.get('/v1/custom-connectors', { token })).body).toEqual(custom);
  expect((await platform.get('/v1/flex-connectors', { token })).body).toEqual(flex);
});
