import { expect, test } from 'vitest';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { readSeed } from '../../../platform/index.ts';
import { field, resultsOf, talk } from '../talk.ts';

const text = `version: 1
settings:
  componentTime: 2s
  agentVersion: "10.1.0"
projects:
  - name: finance
    id: 3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b
    connections:
      - { name: main, authType: key_pair }
      - { name: second, authType: password }
    environments:
      - dev
      - name: prod
        displayName: Production
        defaultAgentId: 11111111-2222-4333-8444-555555555555
    repository: { ownerName: demo, repositoryName: finance }
    variables:
      - { name: region, type: TEXT, behaviour: SHARED, value: north, overrides: { prod: east } }
agents:
  11111111-2222-4333-8444-555555555555: runner-one
credentials:
  - { name: ann, role: superAdmin, email: ann@example.com, token: fixed-token }
connectors:
  custom: [{ id: c1 }]
executions:
  - { pipeline: daily/load, component: Load, outcome: failure, after: 50ms, message: No }
`;

function faultOf(seed: string): string {
  try {
    readSeed(seed, { file: 'seed.yaml' });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { file, line, column } = error.where ?? {};
    return `${error.code} ${String(file)}:${String(line)}:${String(column)} ${error.message}`;
  }
  return 'fine';
}

test('a seed file fills projects, environments, variables, credentials and connectors', async () => {
  await using platform = await talk({ seed: readSeed(text, { file: 'seed.yaml' }) });
  expect(platform.platform.projectId).toBe('3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b');
  expect(platform.platform.tokens).toEqual({ superAdmin: 'fixed-token', admin: '', member: '' });
  expect(platform.platform.environment()).toMatchObject({
    MILLRACE_TOKEN: 'fixed-token',
    MILLRACE_AGENT_VERSION: '10.1.0',
  });
  expect(resultsOf(await platform.get(`${platform.project}/environments`))).toEqual([
    { name: 'dev', defaultAgentId: expect.any(String), defaultAgentName: 'runner-one' },
    { name: 'prod', defaultAgentId: '11111111-2222-4333-8444-555555555555', defaultAgentName: 'runner-one' },
  ]);
  expect(
    (await platform.get(`${platform.project}/variables/region/environment-overrides`)).body,
  ).toMatchObject({
    overrides: [{ environmentName: 'prod', value: 'east' }],
  });
  expect((await platform.get('/v1/custom-connectors')).body).toEqual([{ id: 'c1' }]);
  await platform.publish('1');
  expect(resultsOf(await platform.get('/v1/events'))[0]).toMatchObject({ actorEmail: 'ann@example.com' });
});

test.each([
  [
    'version: 1\nprojects:\n  - nam: x\n',
    'config-invalid seed.yaml:3:5 The seed is invalid: projects[0].nam is not a known field',
  ],
  [
    'credentials:\n  - { name: a, role: king }\n',
    'config-invalid seed.yaml:2:22 The seed is invalid: credentials[0].role is wrong',
  ],
  [
    'settings:\n  componentTime: soon\n',
    'config-invalid seed.yaml:2:18 The seed is invalid: settings.componentTime',
  ],
  [
    'executions:\n  - pipeline: a\n    outcome: maybe\n',
    'config-invalid seed.yaml:3:14 The seed is invalid: executions[0].outcome is wrong',
  ],
  [
    'projects:\n  - description: x\n',
    'config-invalid seed.yaml:2:5 The seed is invalid: projects[0].name is missing',
  ],
  ['projects: [\n', 'config-invalid seed.yaml:2:1 The seed is invalid: '],
  [
    'credentials:\n  - { name: a, role: admin }\n  - { name: a, role: admin }\n',
    'config-invalid seed.yaml:3:13 The seed is invalid: credentials[1].name is a duplicate: "a"',
  ],
  [
    'projects:\n  - name: p\n    environments: [dev]\n    variables:\n      - { name: v, type: TEXT, behaviour: SHARED, value: 5 }\n',
    'config-invalid seed.yaml:5:58 The seed is invalid: projects[0].variables[0].value must match the type TEXT',
  ],
  [
    'projects:\n  - name: p\n    environments: [dev]\n    variables:\n      - { name: v, type: TEXT, behaviour: SHARED, overrides: { moon: x } }\n',
    'names the environment "moon", which the project does not have',
  ],
  [
    'projects:\n  - name: p\n    environments:\n      - { name: dev, defaultConnections: { DWH: { x: main } } }\n',
    'names "main", which is not a connection of the project',
  ],
  ['projects: 5\n', 'config-invalid seed.yaml:1:11 The seed is invalid: projects'],
])('a wrong seed names the place of its fault: %j', (seed, fault) => {
  expect(faultOf(seed)).toContain(fault);
});

test('an empty seed file is a platform without projects', async () => {
  await using platform = await talk({ seed: readSeed('', { file: 'seed.yaml' }) });
  expect(platform.platform.projectId).toBe('');
  expect((await platform.get('/v1/projects', { token: 'any' })).status).toBe(401);
});

test('a wrong seed given as data is a failure before anything listens', async () => {
  await expect(talk({ seed: { projects: [{ name: '' }] } })).rejects.toMatchObject({
    code: 'config-invalid',
    message: 'The seed is invalid: projects[0].name must not be empty',
  });
});

test('the default seed has dev, test and prod, a connection, a linked repository and three tokens', async () => {
  await using platform = await talk();
  expect(resultsOf(await platform.get(`${platform.project}/environments`)).map((row) => row['name'])).toEqual(
    ['dev', 'test', 'prod'],
  );
  expect(new Set(Object.values(platform.platform.tokens)).size).toBe(3);
  const link = { provider: 'git-host', providerParameters: { ownerName: 'a' }, repositoryName: 'b' };
  expect((await platform.post(`${platform.project}/repositories`, link)).status).toBe(409);
  const connection = {
    name: 'warehouse-connection',
    platformConnectionType: 'dwh',
    authProvider: 'warehouse_one',
    authType: 'key_pair',
  };
  const answer = await platform.post(`${platform.project}/data-platform-connections`, connection);
  expect(field(answer, 'error')).toBe('A connection named "warehouse-connection" already exists.');
});

test('a seeded project may be one without invited users (§1)', async () => {
  const credentials = [
    { name: 'boss', role: 'superAdmin' as const },
    { name: 'one', role: 'member' as const },
  ];
  await using platform = await talk({ seed: { projects: [{ name: 'p', invited: false }], credentials } });
  const { member, superAdmin } = platform.platform.tokens;
  expect(resultsOf(await platform.get('/v1/projects', { token: member }))).toEqual([]);
  expect(resultsOf(await platform.get('/v1/projects', { token: superAdmin }))).toHaveLength(1);
});

test.each([
  [
    'projcts: []',
    'seed.yaml:1:1 The seed is invalid: projcts is not a known field; did you mean "projects"?',
  ],
  [
    'projects: [{ name: a, enviroments: [dev] }]',
    'enviroments is not a known field; did you mean "environments"?',
  ],
  [
    'projects: [{ name: a, environments: [dev], artifacts: [{ version: v1, files: {}, environments: [dve] }] }]',
    'names "dve", which is not an environment of the project; did you mean "dev"?',
  ],
  ['projects: []\nsettings: { agentversion: "9" }', 'did you mean "agentVersion"?'],
])('a misspelled field is reported with the one that was meant: %s', (seed, message) => {
  expect(faultOf(seed)).toContain(message);
});

test.each([
  ['package.json', '{ "name": "x", "version": "1.0.0", "private": true }'],
  ['a pipeline', 'type: orchestration\npipeline: { components: {} }\n'],
  ['a list', '- a\n- b\n'],
  ['a text', 'Just a text\n'],
])('%s is not a seed, and the hint shows what one is', (_, seed) => {
  const refused = () => readSeed(seed, { file: 'other.file' });
  expect(refused).toThrow(/^This file is not a seed/);
  expect(refused).toThrow(
    expect.objectContaining({
      where: { file: 'other.file' },
      hint: expect.stringMatching(/such as `projects: \[\{ name: Orders.*docs\/local-platform\.md/) as string,
    }),
  );
});
