import { expect, test } from 'vitest';
import { field, talk } from '../talk.ts';

const agent = '11111111-2222-4333-8444-555555555555';
const definition = {
  name: 'finance',
  description: 'Ledgers',
  warehouse: 'WAREHOUSE_ONE',
  agentDeploymentType: 'HYBRID',
};
const connection = {
  name: 'main',
  platformConnectionType: 'dwh',
  authProvider: 'warehouse_one',
  authType: 'key_pair',
};
const keyPair = {
  account: { value: 'a' },
  username: { value: 'u' },
  defaultRole: { value: 'r' },
  defaultWarehouse: { value: 'w' },
  defaultDatabase: { value: 'd' },
  defaultSchema: { value: 's' },
  privateKey: { secretName: 'key' },
};
const environment = {
  name: 'uat',
  displayName: 'Acceptance',
  defaultAgentId: agent,
  defaultUserAccessLevel: 'default',
  defaultConnections: { DWH: { warehouse_one: 'main' } },
  connectionOverrides: [{ connectionName: 'main', connectionProperties: keyPair }],
};
const password = {
  url: { value: 'https://example.com' },
  username: { value: 'u' },
  defaultDatabase: { value: 'd' },
  defaultSchema: { value: 's' },
  defaultStorageLocation: { value: 'l' },
  port: { value: '443' },
  useSsl: { value: 'true' },
  password: { secretName: 'name', secretKey: 'key' },
};

test('a project is provisioned in the call order of §4.1: project, connection, environment, repository', async () => {
  await using platform = await talk();
  const created = await platform.post('/v1/projects', definition);
  expect(created.status).toBe(201);
  expect(field(created, 'projectId')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const project = `/v1/projects/${field(created, 'projectId')}`;

  const early = await platform.post(`${project}/environments`, environment);
  expect(early.status).toBe(400);
  expect(early.body).toMatchObject({
    title: 'Bad Request',
    violations: [
      'defaultConnections.DWH.warehouse_one names "main", which is not a registered connection (§2.3)',
      'connectionOverrides[0].connectionName names "main", which is not a registered connection (§2.3)',
    ],
  });

  expect(await platform.post(`${project}/data-platform-connections`, connection)).toMatchObject({
    status: 201,
    body: {},
  });
  expect(await platform.post(`${project}/environments`, environment)).toMatchObject({
    status: 201,
    body: {},
  });
  const link = { provider: 'git-host', providerParameters: { ownerName: 'demo' }, repositoryName: 'finance' };
  expect(await platform.post(`${project}/repositories`, link)).toMatchObject({ status: 201, body: {} });
  expect(await platform.get(`${project}/environments`)).toMatchObject({
    status: 200,
    body: {
      page: 0,
      size: 25,
      total: 1,
      results: [{ name: 'uat', defaultAgentId: agent, defaultAgentName: 'agent-11111111' }],
    },
  });
});

test('a new project is visible to Super Admins only, a seeded one to all (§1)', async () => {
  await using platform = await talk();
  const { tokens, projectId } = platform.platform;
  const created = await platform.post('/v1/projects', definition, { token: tokens.admin });
  const id = field(created, 'projectId');
  const listed = async (token: string) =>
    ((await platform.get('/v1/projects', { token })).body as { results: { id: string }[] }).results.map(
      (row) => row.id,
    );
  expect(await listed(tokens.superAdmin)).toEqual([projectId, id]);
  expect(await listed(tokens.admin)).toEqual([projectId]);
  expect(await listed(tokens.member)).toEqual([projectId]);
  const hidden = await platform.get(`/v1/projects/${id}/environments`, { token: tokens.member });
  expect(hidden).toMatchObject({
    status: 404,
    body: { error: `The project "${id}" does not exist.`, status: 404 },
  });
});

test('names that exist already are answered 409 (unknowns §3)', async () => {
  await using platform = await talk();
  const created = await platform.post('/v1/projects', definition);
  const project = `/v1/projects/${field(created, 'projectId')}`;
  await platform.post(`${project}/data-platform-connections`, connection);
  await platform.post(`${project}/environments`, environment);
  const link = { provider: 'git-host', providerParameters: { ownerName: 'demo' }, repositoryName: 'finance' };
  await platform.post(`${project}/repositories`, link);
  const again = [
    await platform.post('/v1/projects', definition),
    await platform.post(`${project}/data-platform-connections`, connection),
    await platform.post(`${project}/environments`, environment),
    await platform.post(`${project}/repositories`, link),
  ];
  expect(again.map(({ status, body }) => [status, body])).toEqual([
    [409, { error: 'A project named "finance" already exists.', status: 409 }],
    [409, { error: 'A connection named "main" already exists.', status: 409 }],
    [409, { error: 'An environment named "uat" already exists.', status: 409 }],
    [409, { error: 'The project is already linked to a repository.', status: 409 }],
  ]);
});

test.each([
  ['no name', { name: undefined }, 'name must not be null'],
  ['an empty name', { name: '' }, 'name must not be empty'],
  [
    'an unknown warehouse',
    { warehouse: 'OTHER' },
    'warehouse must be one of WAREHOUSE_ONE, WAREHOUSE_TWO (§2.1)',
  ],
  ['a lower-case warehouse', { warehouse: 'warehouse_one' }, 'warehouse must be one of'],
  ['a hosted runner', { agentDeploymentType: 'FULL' }, 'agentDeploymentType is wrong'],
  ['an unknown field', { colour: 'red' }, 'colour is not a known field'],
])('a project with %s is refused (§2.1)', async (_what, change, violation) => {
  await using platform = await talk();
  const answer = await platform.post('/v1/projects', { ...definition, ...change });
  expect(answer.status).toBe(400);
  expect(field(answer, 'detail')).toContain(violation);
});

test.each([
  ['another type than dwh', { platformConnectionType: 'lake' }, 'platformConnectionType is wrong'],
  [
    'an unknown provider',
    { authProvider: 'other' },
    'authProvider must be one of warehouse_one, warehouse_two (§2.2)',
  ],
  ['an upper-case provider', { authProvider: 'WAREHOUSE_ONE' }, 'authProvider must be one of'],
  ['a password for the key-pair kind', { authType: 'password' }, 'authType must be key_pair'],
  ['a key pair for the password kind', { authProvider: 'warehouse_two' }, 'authType must be password'],
  ['credentials', { password: 'x' }, 'password is not a known field'],
])('a connection with %s is refused (§2.2)', async (_what, change, violation) => {
  await using platform = await talk();
  const answer = await platform.post(`${platform.project}/data-platform-connections`, {
    ...connection,
    ...change,
  });
  expect(answer.status).toBe(400);
  expect(field(answer, 'detail')).toContain(violation);
});

test.each([
  ['no agent', { defaultAgentId: undefined }, 'defaultAgentId must not be null'],
  ['an agent that is not a UUID', { defaultAgentId: 'x' }, 'defaultAgentId is wrong'],
  ['an unknown access level', { defaultUserAccessLevel: 'owner' }, 'defaultUserAccessLevel is wrong'],
  ['no default connections', { defaultConnections: undefined }, 'defaultConnections must not be null'],
  [
    'an empty default connection',
    { defaultConnections: { DWH: {} } },
    'defaultConnections.DWH must not be empty',
  ],
  [
    'another kind of connection',
    { defaultConnections: { LAKE: {} } },
    'defaultConnections.DWH must not be null',
  ],
  [
    'the wrong provider',
    { defaultConnections: { DWH: { warehouse_two: 'main' } } },
    'names "main", whose authProvider is warehouse_one',
  ],
  ['no overrides', { connectionOverrides: undefined }, 'connectionOverrides must not be null'],
  [
    'properties of the other kind',
    { connectionOverrides: [{ connectionName: 'main', connectionProperties: password }] },
    'connectionOverrides[0].connectionProperties.account must not be null (§2.3, key_pair)',
  ],
  [
    'a private key as text',
    {
      connectionOverrides: [
        { connectionName: 'main', connectionProperties: { ...keyPair, privateKey: 'PEM' } },
      ],
    },
    'connectionOverrides[0].connectionProperties.privateKey must be a secret reference',
  ],
  [
    'a passphrase without its key',
    {
      connectionOverrides: [
        { connectionName: 'main', connectionProperties: { ...keyPair, passphrase: { secretName: 'p' } } },
      ],
    },
    'connectionOverrides[0].connectionProperties.passphrase.secretKey must not be null',
  ],
  [
    'a port that is not a number',
    {
      connectionOverrides: [
        { connectionName: 'second', connectionProperties: { ...password, port: { value: 'x' } } },
      ],
    },
    'connectionOverrides[0].connectionProperties.port.value is wrong: must be a number as text',
  ],
  [
    'an override of a connection that is not registered',
    { connectionOverrides: [{ connectionName: 'third', connectionProperties: keyPair }] },
    'connectionOverrides[0].connectionName names "third", which is not a registered connection',
  ],
])('an environment with %s is refused (§2.3)', async (_what, change, violation) => {
  await using platform = await talk();
  await platform.post(`${platform.project}/data-platform-connections`, connection);
  const second = { ...connection, name: 'second', authProvider: 'warehouse_two', authType: 'password' };
  await platform.post(`${platform.project}/data-platform-connections`, second);
  const answer = await platform.post(`${platform.project}/environments`, { ...environment, ...change });
  expect(answer.status).toBe(400);
  expect((answer.body as { violations: string[] }).violations.join('\n')).toContain(violation);
});

test('an environment takes the properties of the password kind, and all five access levels (§2.3)', async () => {
  await using platform = await talk();
  const second = { ...connection, name: 'second', authProvider: 'warehouse_two', authType: 'password' };
  await platform.post(`${platform.project}/data-platform-connections`, second);
  const statuses = [];
  for (const level of ['default', 'admin', 'runner', 'readOnly', 'noAccess']) {
    const answer = await platform.post(`${platform.project}/environments`, {
      ...environment,
      name: level,
      defaultUserAccessLevel: level,
      defaultConnections: { DWH: { warehouse_two: 'second' } },
      connectionOverrides: [{ connectionName: 'second', connectionProperties: password }],
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
});

test('a repository of another host is refused; Git-Provider-Access-Token is not needed (§2.4, §5 rule 6)', async () => {
  await using platform = await talk();
  const { body } = await platform.post('/v1/projects', definition);
  const path = `/v1/projects/${(body as { projectId: string }).projectId}/repositories`;
  const link = { provider: 'hosted', providerParameters: { ownerName: 'demo' }, repositoryName: 'finance' };
  expect(field(await platform.post(path, link), 'detail')).toContain('provider must be git-host');
  expect((await platform.post(path, { ...link, provider: 'git-host' })).status).toBe(201);
});

test('the placeholders of the specification are settings (§2.1, §2.4)', async () => {
  const settings = { warehouseKinds: { keyPair: 'LAKE', password: 'POND' }, gitProvider: 'forge' };
  await using platform = await talk({
    seed: { settings, credentials: [{ name: 'boss', role: 'superAdmin' }] },
  });
  const created = await platform.post('/v1/projects', { ...definition, warehouse: 'POND' });
  expect(created.status).toBe(201);
  const project = `/v1/projects/${field(created, 'projectId')}`;
  const pond = { ...connection, authProvider: 'pond', authType: 'password' };
  expect((await platform.post(`${project}/data-platform-connections`, pond)).status).toBe(201);
  const link = { provider: 'forge', providerParameters: { ownerName: 'demo' }, repositoryName: 'finance' };
  expect((await platform.post(`${project}/repositories`, link)).status).toBe(201);
});

test('a list is paged from page 0, and refuses a size of 0 or 101 (§2)', async () => {
  await using platform = await talk();
  const names = async (query: string) =>
    (
      (await platform.get(`${platform.project}/environments${query}`)).body as { results: { name: string }[] }
    ).results.map((row) => row.name);
  expect(await names('?page=0&size=2')).toEqual(['dev', 'test']);
  expect(await names('?page=1&size=2')).toEqual(['prod']);
  expect(await names('?page=2&size=2')).toEqual([]);
  for (const query of [
    '?size=0',
    '?size=101',
    '?page=-1',
    '?size=x',
    '?page=1.5',
    '?colour=red',
    '?page=0&page=1',
  ])
    expect([query, (await platform.get(`${platform.project}/environments${query}`)).status]).toEqual([
      query,
      400,
    ]);
});

test('the ledger holds each step of provisioning once, whatever was refused in between', async () => {
  await using platform = await talk();
  const created = await platform.post('/v1/projects', definition);
  await platform.post('/v1/projects', definition);
  const project = `/v1/projects/${field(created, 'projectId')}`;
  const link = { provider: 'git-host', providerParameters: { ownerName: 'demo' }, repositoryName: 'finance' };
  for (const [path, body] of [
    ['data-platform-connections', connection],
    ['environments', environment],
    ['repositories', link],
  ] as const)
    for (const status of [201, 409])
      expect((await platform.post(`${project}/${path}`, body)).status).toBe(status);
  const reported = platform.platform.ledger({ project: field(created, 'projectId') });
  expect(reported.map(({ operation, effect, subject }) => `${operation} ${effect} ${subject.name}`)).toEqual([
    'projects.create created finance',
    'connections.create registered main',
    'environments.create created Acceptance',
    'repositories.link linked demo/finance',
  ]);
});
