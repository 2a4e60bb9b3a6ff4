import { expect, test } from 'vitest';
import { operations } from '../../../lib/contract/operations.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { streamingDefinition } from '../../environment/streaming-definition.ts';
import type { Seed } from '../../../platform/index.ts';
import { type Answer, field, form, resultsOf, type Talk, talk } from '../talk.ts';

const levels = ['noAccess', 'readOnly', 'runner', 'admin'] as const;
type Level = (typeof levels)[number];

const files = { 'daily/load.orch.yaml': orchestration };
const runner = '11111111-2222-4333-8444-555555555555';
const definition = streamingDefinition(runner, 'relational');

/** The credential `LEVEL` is an Admin with that level in prod, and `admin` in dev. */
const seed: Seed = {
  projects: [
    {
      name: 'p',
      environments: ['dev', 'prod'],
      connections: [{ name: 'main', authType: 'key_pair' }],
      variables: [
        {
          name: 'v',
          type: 'TEXT',
          behaviour: 'SHARED',
          value: 'a',
          overrides: { dev: 'd', prod: 'p' },
        },
        { name: 'w', type: 'TEXT', behaviour: 'SHARED', value: 'a' },
      ],
      artifacts: [
        { version: '1', files, environments: ['dev', 'prod'] },
        { version: '2', files, environments: ['dev'] },
      ],
      streamingPipelines: [{ ...definition, id: runner }],
    },
  ],
  credentials: [
    { name: 'boss', role: 'superAdmin' },
    ...levels.map((level) => ({
      name: level,
      role: 'admin' as const,
      token: level,
      projects: { p: { dev: 'admin' as const, prod: level } },
    })),
  ],
};

/** The level in prod that an operation needs there, as unknowns §1 says; `any`: it also works without access to prod. */
const needs: Readonly<Record<string, Exclude<Level, 'noAccess'> | 'every' | 'any'>> = {
  'connections.create': 'every',
  'environments.create': 'every',
  'environments.list': 'any',
  'repositories.link': 'every',
  'streamingPipelines.create': 'every',
  'streamingPipelines.get': 'any',
  'streamingPipelines.command': 'every',
  'streamingPipelines.status': 'any',
  'artifacts.create': 'admin',
  'artifacts.promote': 'admin',
  'artifacts.list': 'any',
  'artifacts.setEnabled': 'admin',
  'publishedPipelines.list': 'any',
  'executions.start': 'runner',
  'executions.get': 'readOnly',
  'executions.terminate': 'runner',
  'reviews.create': 'any',
  'variables.list': 'any',
  'variables.create': 'every',
  'variables.update': 'every',
  'variables.delete': 'every',
  'overrides.list': 'any',
  'overrides.set': 'any',
  'overrides.delete': 'admin',
};

/** A request that succeeds with every level: its path below the project's, and what it sends. */
interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const variable = { name: 'new', type: 'TEXT', behaviour: 'SHARED', value: 'a' };
const start = { pipelineName: 'daily/load', environmentName: 'prod' };
const connected = { DWH: { warehouse_one: 'main' } };

const requests = (execution: string): Readonly<Record<string, Request>> => ({
  'connections.create': {
    path: '/data-platform-connections',
    body: {
      name: 'other',
      platformConnectionType: 'dwh',
      authProvider: 'warehouse_one',
      authType: 'key_pair',
    },
  },
  'environments.create': {
    path: '/environments',
    body: {
      name: 'new',
      defaultAgentId: runner,
      defaultUserAccessLevel: 'default',
      defaultConnections: connected,
      connectionOverrides: [],
    },
  },
  'environments.list': { path: '/environments' },
  'repositories.link': {
    path: '/repositories',
    body: { provider: 'git-host', providerParameters: { ownerName: 'o' }, repositoryName: 'r' },
  },
  'streamingPipelines.create': { path: '/streaming-pipelines', body: definition },
  'streamingPipelines.get': { path: `/streaming-pipelines/${runner}` },
  'streamingPipelines.command': {
    path: `/streaming-pipelines/${runner}/commands`,
    body: { command: 'start' },
  },
  'streamingPipelines.status': { path: `/streaming-pipelines/${runner}/status` },
  'artifacts.create': {
    path: '/artifacts',
    body: form(files),
    headers: { versionName: '3', environmentName: 'prod', commitHash: 'a1b2c3d' },
  },
  'artifacts.promote': {
    path: '/artifacts/promotions',
    body: { sourceEnvironmentName: 'dev', targetEnvironmentName: 'prod', versionName: '2' },
  },
  'artifacts.list': { path: '/artifacts/' },
  'artifacts.setEnabled': {
    path: '/artifacts',
    body: { environmentName: 'prod', versionName: '1', enabled: true },
  },
  'publishedPipelines.list': { path: '/published-pipelines' },
  'executions.start': { path: '/pipeline-executions', body: start },
  'executions.get': { path: `/pipeline-executions/${execution}` },
  'executions.terminate': {
    path: `/pipeline-executions/${execution}`,
    body: { status: 'CANCELLED', forceUpdate: false },
  },
  'reviews.create': {
    path: '/reviews',
    body: { branchName: 'main', commitId: 'a1b2c3d', pipelines: ['daily/load.orch.yaml'] },
    headers: { 'Agent-Version': '9.0.0' },
  },
  'variables.list': { path: '/variables' },
  'variables.create': { path: '/variables', body: variable },
  'variables.update': { path: '/variables/v', body: { type: 'TEXT', behaviour: 'SHARED' } },
  'variables.delete': { path: '/variables/w' },
  'overrides.list': { path: '/variables/v/environment-overrides' },
  'overrides.set': {
    path: '/variables/v/environment-overrides',
    body: { overrides: [{ environmentName: 'dev', value: 'b' }] },
  },
  'overrides.delete': { path: '/variables/v/environment-overrides/prod' },
});

/** Review needs a folder of repositories, which this platform lacks: it says so after the level is checked. */
const isDone = (id: string, { status, body }: Answer): boolean =>
  status < 300 || (id === 'reviews.create' && /linked|repositories/.test(JSON.stringify(body)));

test('the table has every operation below a project', () => {
  const below = operations.filter(({ path }) => path.includes('{projectId}')).map(({ id }) => id);
  expect(Object.keys(needs).toSorted()).toEqual(below.toSorted());
  expect(Object.keys(requests('')).toSorted()).toEqual(below.toSorted());
});

test('each operation needs its level in prod: 404 without access, 403 with the level below it', async () => {
  await using platform = await talk({ seed });
  const started = await platform.post(`${platform.project}/pipeline-executions`, start);
  const all = requests(field(started, 'pipelineExecutionId'));
  for (const { id, method } of operations) {
    const need = needs[id];
    const request = all[id];
    if (need === undefined || request === undefined) continue;
    for (const level of levels) {
      const { path, body, headers = {} } = request;
      const answer = await platform.send(method, platform.project + path, body, { token: level, headers });
      const needed = need === 'every' ? 'admin' : need;
      if (need === 'any' || levels.indexOf(level) >= levels.indexOf(needed as Level)) {
        expect([id, level, isDone(id, answer), answer.body]).toEqual([id, level, true, answer.body]);
      } else if (level === 'noAccess' && need !== 'every') {
        expect([id, level, answer.status]).toEqual([id, level, 404]);
        expect(field(answer, 'error')).toMatch(/^The (environment "prod"|execution ".*") does not exist\.$/);
      } else {
        expect([id, level, answer.status]).toEqual([id, level, 403]);
        expect(answer.body).toMatchObject({
          status: 403,
          requiredAccessLevel: needed,
          accessLevel: level,
          ...(level === 'noAccess' ? {} : { environmentName: 'prod' }),
        });
        expect(field(answer, 'error')).toContain(needed);
        expect(level === 'noAccess' && field(answer, 'error').includes('prod')).toBe(false);
      }
    }
  }
});

test('an environment without access is absent from every list, and its override cannot be set', async () => {
  await using platform = await talk({ seed });
  await platform.patch(`${platform.project}/artifacts`, {
    environmentName: 'dev',
    versionName: '1',
    enabled: false,
  });
  const list = async (path: string, name: string, token: string) =>
    resultsOf(await platform.get(platform.project + path, { token })).map((row) => row[name]);
  expect(await list('/environments', 'name', 'noAccess')).toEqual(['dev']);
  expect(await list('/environments', 'name', 'readOnly')).toEqual(['dev', 'prod']);
  expect(await list('/artifacts/', 'environmentName', 'noAccess')).toEqual(['dev']);
  expect(await list('/artifacts/?environmentName=prod', 'environmentName', 'noAccess')).toEqual([]);
  expect(await list('/published-pipelines?environmentName=prod', 'name', 'noAccess')).toEqual([]);
  expect(await list('/published-pipelines?environmentName=prod', 'name', 'readOnly')).toHaveLength(1);
  const path = `${platform.project}/variables/v/environment-overrides`;
  expect((await platform.get(path, { token: 'noAccess' })).body).toMatchObject({
    overrides: [{ environmentName: 'dev' }],
  });
  const overrides = [{ environmentName: 'prod', value: 'x' }];
  const set = async (token: string) => (await platform.post(path, { overrides }, { token })).body;
  expect(await set('noAccess')).toMatchObject({
    failedOverrides: [{ reason: 'The environment does not exist.' }],
  });
  expect(await set('runner')).toMatchObject({
    failedOverrides: [{ reason: expect.stringMatching(/runner/) }],
  });
});

const statusOf = async (platform: Talk, path: string, token: string) =>
  (await platform.get(path, { token })).status;

test('without access to any environment the project does not exist, also where it has none', async () => {
  await using platform = await talk({
    seed: {
      projects: [{ name: 'p', environments: ['dev'] }, { name: 'empty' }],
      credentials: [
        { name: 'boss', role: 'superAdmin' },
        {
          name: 'none',
          role: 'member',
          token: 'none',
          projects: { p: { dev: 'noAccess' }, empty: 'noAccess' },
        },
        { name: 'reader', role: 'member', token: 'reader', projects: { empty: 'readOnly' } },
      ],
    },
  });
  const [p, empty] = resultsOf(await platform.get('/v1/projects')).map((row) => String(row['id']));
  expect(resultsOf(await platform.get('/v1/projects', { token: 'none' }))).toEqual([]);
  expect(await statusOf(platform, `/v1/projects/${p ?? ''}/environments`, 'none')).toBe(404);
  const variables = `/v1/projects/${empty ?? ''}/variables`;
  expect(await statusOf(platform, variables, 'none')).toBe(404);
  expect(await statusOf(platform, variables, 'reader')).toBe(200);
  expect(await platform.post(variables, variable, { token: 'reader' })).toMatchObject({
    status: 403,
    body: { requiredAccessLevel: 'admin', accessLevel: 'readOnly' },
  });
});

test.each<[string, object, { name: string; defaultUserAccessLevel?: Level }, Level]>([
  ['nothing', {}, { name: 'dev' }, 'admin'],
  ['the environment’s level', {}, { name: 'dev', defaultUserAccessLevel: 'runner' }, 'runner'],
  ['accessLevel', { accessLevel: 'readOnly' }, { name: 'dev', defaultUserAccessLevel: 'admin' }, 'readOnly'],
  ['default', { accessLevel: 'default' }, { name: 'dev', defaultUserAccessLevel: 'readOnly' }, 'readOnly'],
  ['the project’s level', { accessLevel: 'readOnly', projects: { p: 'runner' } }, { name: 'dev' }, 'runner'],
  ['a list of projects', { accessLevel: 'readOnly', projects: ['p'] }, { name: 'dev' }, 'readOnly'],
  [
    'the level by environment',
    { accessLevel: 'readOnly', projects: { p: { dev: 'runner' } } },
    { name: 'dev' },
    'runner',
  ],
  [
    'accessLevel for an environment that is not named',
    { accessLevel: 'readOnly', projects: { p: {} } },
    { name: 'dev' },
    'readOnly',
  ],
])('a member’s level comes from %s', async (_, credential, environment, expected) => {
  await using platform = await talk({
    seed: {
      projects: [
        {
          name: 'p',
          environments: [environment],
          artifacts: [{ version: '1', files, environments: ['dev'] }],
        },
      ],
      credentials: [
        { name: 'boss', role: 'superAdmin' },
        { name: 'ben', role: 'member', token: 'ben', ...credential },
      ],
    },
  });
  const sent = async (method: string, path: string, body: unknown) =>
    (await platform.send(method, platform.project + path, body, { token: 'ben' })).status < 300;
  expect([
    await sent('POST', '/pipeline-executions', { ...start, environmentName: 'dev' }),
    await sent('PATCH', '/artifacts', { environmentName: 'dev', versionName: '1', enabled: false }),
  ]).toEqual([expected !== 'readOnly', expected === 'admin']);
});

test('a seed that names an unknown environment in the levels of a credential is refused', async () => {
  const credentials = seed.credentials?.map((credential) => ({
    ...credential,
    projects: { p: { prd: 'admin' as const } },
  }));
  await expect(talk({ seed: { ...seed, ...(credentials && { credentials }) } })).rejects.toThrow(
    /credentials\[0\]\.projects\.p\.prd names "prd", which is not an environment of the project; did you mean "prod"/,
  );
});
