import { expect, test } from 'vitest';
import { orchestration } from '../../environment/orchestration.ts';
import { field, form, resultsOf, type Talk, talk } from '../talk.ts';

const list = `version: "1.0"
type: "shared-pipelines-config"
pipelines:
  - pipeline: "shared/convert.orch.yaml"
    displayName: "Convert"
    id: "convert"
    description: "Converts currencies"
    enabled: true
  - pipeline: "shared/round"
    id: "rounding"
    enabled: true
  - pipeline: "shared/old.orch.yaml"
    id: "old"
    enabled: false
  - pipeline: "shared/gone.orch.yaml"
    id: "gone"
    enabled: true
`;
const files = {
  '.platform/shared-pipelines.yaml': list,
  'shared/convert.orch.yaml': orchestration,
  'shared/round.tran.yaml': 'type: "transformation"\npipeline: {}\n',
  'shared/old.orch.yaml': orchestration,
};
const artifacts = '/v1/shared-pipelines/artifacts';

const publish = (platform: Talk, versionName: string, upload: Record<string, string> = files, extra = {}) =>
  platform.post(artifacts, form(upload), {
    headers: { sharedPipelineIdPrefix: 'finance', versionName, ...extra },
  });

const enable = (platform: Talk, versionName: string, enabled: boolean) =>
  platform.patch(artifacts, { sharedPipelineIdPrefix: 'finance', versionName, enabled });

const details = (platform: Talk, query = '') =>
  platform.get(`${artifacts}/details?sharedPipelineIdPrefix=finance${query}`);

const live = async (platform: Talk) => {
  const { body, status } = await details(platform);
  return status === 200
    ? (body as { artifactDetails: { versionName: string } }).artifactDetails.versionName
    : status;
};

test('a version is published with what is shared, and says what it left out and why (§2.11, §4.8)', async () => {
  await using platform = await talk();
  const published = await publish(platform, '1.0', files, { commitHash: 'abc', branch: 'main' });
  expect(published).toMatchObject({
    status: 201,
    body: {
      sharedPipelineIdPrefix: 'finance',
      versionName: '1.0',
      ignoredResources: [
        { name: 'shared/old.orch.yaml', reason: 'It is not shared: enabled is false' },
        { name: 'shared/gone.orch.yaml', reason: 'The file is not part of the upload' },
      ],
    },
  });
  expect((await details(platform)).body).toEqual({
    artifactDetails: {
      sharedPipelineIdPrefix: 'finance',
      versionName: '1.0',
      enabled: true,
      createdAt: '2031-01-01T12:00:00.000Z',
      provider: 'git-host',
      commitHash: 'abc',
      branch: 'main',
    },
    sharedPipelines: [
      { sharedPipelineId: 'convert', sourcePipeline: 'shared/convert', description: 'Converts currencies' },
      { sharedPipelineId: 'rounding', sourcePipeline: 'shared/round', description: null },
    ],
  });
});

test('commit and branch are optional, prefix and version are not (§4.8)', async () => {
  await using platform = await talk();
  expect((await publish(platform, '1')).status).toBe(201);
  const answer = await platform.post(artifacts, form(files));
  expect(answer.body).toMatchObject({
    violations: ['header sharedPipelineIdPrefix must not be null', 'header versionName must not be null'],
  });
});

test('an existing prefix and version is answered 409 and not changed (§4.8, §7)', async () => {
  await using platform = await talk();
  await publish(platform, '1', files, { commitHash: 'first' });
  expect(await publish(platform, '1', files, { commitHash: 'second' })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('already have the version "1"'), status: 409 },
  });
  expect((await details(platform)).body).toMatchObject({ artifactDetails: { commitHash: 'first' } });
});

test('of publishes of one version at the same time, one wins and the others are answered 409 (§4.8)', async () => {
  await using platform = await talk();
  const answers = await Promise.all(Array.from({ length: 5 }, () => publish(platform, '1')));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
});

test('an upload without the list of shared pipelines, or with one that cannot be read, is refused (unknowns §3)', async () => {
  await using platform = await talk();
  expect((await publish(platform, '1', { 'a.orch.yaml': orchestration })).body).toMatchObject({
    violations: ['The upload must contain .platform/shared-pipelines.yaml, which lists the shared pipelines'],
  });
  expect(
    (await publish(platform, '1', { ...files, '.platform/shared-pipelines.yaml': 'x: [' })).body,
  ).toMatchObject({
    violations: [expect.stringMatching(/^\.platform\/shared-pipelines\.yaml:1: /)],
  });
  expect((await publish(platform, '1', { '.platform/shared-pipelines.yaml': list })).body).toMatchObject({
    detail: 'No pipeline of the upload is shared',
  });
  expect((await details(platform)).status).toBe(404);
});

test('without a version the most recent enabled one is meant, not the most recently published one (§2.11, §3.3)', async () => {
  await using platform = await talk();
  for (const version of ['1', '2', '3']) await publish(platform, version);
  expect(await live(platform)).toBe('3');
  expect((await enable(platform, '3', false)).status).toBe(200);
  expect(await live(platform)).toBe('2');
  await enable(platform, '2', false);
  expect(await live(platform)).toBe('1');
  await enable(platform, '3', true);
  expect(await live(platform)).toBe('3');
});

test('with every version disabled, consumers have none to run (§4.8 rule 2)', async () => {
  await using platform = await talk();
  await publish(platform, '1');
  await enable(platform, '1', false);
  expect(await live(platform)).toBe(404);
  expect(resultsOf(await platform.get('/v1/shared-pipelines'))).toEqual([]);
  expect((await details(platform, '&versionName=1')).body).toMatchObject({
    artifactDetails: { enabled: false },
  });
});

test('versionName=latest looks for a version of that name (§4.8 rule 1, §7)', async () => {
  await using platform = await talk();
  await publish(platform, '1');
  expect(await details(platform, '&versionName=latest')).toMatchObject({
    status: 404,
    body: { error: 'The shared pipelines "finance" have no version "latest".', status: 404 },
  });
  await publish(platform, 'latest');
  expect((await details(platform, '&versionName=latest')).status).toBe(200);
});

test('the shared pipelines are listed with their latest version, versions can be filtered (§4.8)', async () => {
  await using platform = await talk();
  await publish(platform, '1');
  await publish(platform, '2');
  await publish(platform, '1', files, { sharedPipelineIdPrefix: 'sales' });
  await enable(platform, '2', false);
  expect((await platform.get('/v1/shared-pipelines?size=1')).body).toEqual({
    page: 0,
    size: 1,
    total: 4,
    results: [
      {
        sharedPipelineIdPrefix: 'finance',
        sharedPipelineId: 'convert',
        description: 'Converts currencies',
        latestVersionName: '1',
      },
    ],
  });
  const versions = async (query: string) =>
    resultsOf(await platform.get(`${artifacts}${query}`)).map(
      (row) => `${String(row['sharedPipelineIdPrefix'])}/${String(row['versionName'])}`,
    );
  expect(await versions('')).toEqual(['sales/1', 'finance/1']);
  expect(await versions('?sharedPipelineIdPrefix=finance&includeDisabled=true')).toEqual([
    'finance/2',
    'finance/1',
  ]);
});

test('unsharing a pipeline affects only later versions (§4.8 rule 3)', async () => {
  await using platform = await talk();
  await publish(platform, '1');
  const unshared = list.replace(
    'id: "convert"\n    description: "Converts currencies"\n    enabled: true',
    'id: "convert"\n    enabled: false',
  );
  expect(unshared).not.toBe(list);
  await publish(platform, '2', { ...files, '.platform/shared-pipelines.yaml': unshared });
  const ids = async (version: string) =>
    (
      (await details(platform, `&versionName=${version}`)).body as {
        sharedPipelines: { sharedPipelineId: string }[];
      }
    ).sharedPipelines.map((row) => row.sharedPipelineId);
  expect(await ids('1')).toEqual(['convert', 'rounding']);
  expect(await ids('2')).toEqual(['rounding']);
});

test('enabling a version that does not exist is answered 404 (§7)', async () => {
  await using platform = await talk();
  expect(await enable(platform, '9', true)).toMatchObject({ status: 404, body: { status: 404 } });
});

test('shared pipelines need the Admin or Super Admin role (§5 rule 5, §7)', async () => {
  await using platform = await talk();
  const { admin, member } = platform.platform.tokens;
  const calls = (token: string) => [
    platform.get('/v1/shared-pipelines', { token }),
    platform.get(artifacts, { token }),
    platform.get(`${artifacts}/details?sharedPipelineIdPrefix=none`, { token }),
    platform.post(artifacts, form(files), {
      token,
      headers: { sharedPipelineIdPrefix: 'finance', versionName: '1' },
    }),
    platform.patch(artifacts, { sharedPipelineIdPrefix: 'x', versionName: '1', enabled: true }, { token }),
  ];
  for (const answer of await Promise.all(calls(member)))
    expect([answer.status, field(answer, 'error')]).toEqual([
      403,
      'This operation needs the Admin or Super Admin role; the credential has the role member.',
    ]);
  expect((await Promise.all(calls(admin))).map(({ status }) => status)).toEqual([200, 200, 404, 201, 404]);
});

test('the configuration folder is a setting (unknowns §3)', async () => {
  await using platform = await talk({
    seed: { settings: { configDir: '.conf' }, credentials: [{ name: 'a', role: 'superAdmin' }] },
  });
  expect((await publish(platform, '1')).status).toBe(400);
  const { '.platform/shared-pipelines.yaml': text, ...rest } = files;
  expect((await publish(platform, '1', { ...rest, '.conf/shared-pipelines.yaml': text })).status).toBe(201);
});

test('the ledger holds what became of a shared version, each change once', async () => {
  await using platform = await talk();
  await publish(platform, '1.0');
  await publish(platform, '1.0');
  for (const enabled of [true, false, false, true]) await enable(platform, '1.0', enabled);
  expect(platform.platform.ledger({ subject: 'finance/1.0' }).map(({ effect }) => effect)).toEqual([
    'published',
    'disabled',
    'enabled',
  ]);
});
