import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { connectionBody, environmentBody, fieldOf, projectBody, provision, resultsOf } from './project.ts';
import { needsAdmin, openServer, send } from './server.ts';

const server = await openServer();
const post = (path: string, body: unknown) => send(server, 'POST', path, { body });
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

conforms(
  [
    '§4.1 call order',
    'POST /v1/projects',
    'POST /v1/projects/{projectId}/data-platform-connections',
    'POST /v1/projects/{projectId}/environments',
    'POST /v1/projects/{projectId}/repositories',
    '§2.1 projectId is a v4 UUID',
    '§5 rule 6',
  ],
  'project, connection, environment and repository are created in this order, without a token of the Git host',
  async () => {
    const project = await post('/v1/projects', projectBody(server));
    expect(project.status).toBe(201);
    expect(fieldOf(project.body, 'projectId')).toMatch(v4);
    const path = `/v1/projects/${String(fieldOf(project.body, 'projectId'))}`;

    const connection = await post(`${path}/data-platform-connections`, connectionBody(server));
    expect(connection).toMatchObject({ status: 201, body: {} });
    expect(Object.keys(Object(connection.body))).toEqual([]);

    const environment = await post(`${path}/environments`, environmentBody(server, 'dev'));
    expect(environment.status).toBe(201);
    expect(Object.keys(Object(environment.body))).toEqual([]);

    const repository = await post(`${path}/repositories`, {
      provider: server.gitProvider,
      providerParameters: { ownerName: server.gitOwner },
      repositoryName: 'conformance',
    });
    expect(repository.status).toBe(201);
    expect(Object.keys(Object(repository.body))).toEqual([]);
  },
);

conforms(
  ['GET /v1/projects', '§2 envelope of a paged list'],
  'a project is in the list with id, name and description, on exactly one page',
  async () => {
    const body = projectBody(server);
    const created = await post('/v1/projects', body);
    const found: unknown[] = [];
    let seen = 0;
    for (let page = 0; ; page += 1) {
      const answer = await send(server, 'GET', `/v1/projects?page=${String(page)}&size=2`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ page, size: expect.any(Number), total: expect.any(Number) });
      const results = resultsOf(answer);
      if (results.length === 0) break;
      seen += results.length;
      found.push(...results.filter(({ id }) => id === fieldOf(created.body, 'projectId')));
      if (seen >= Number(fieldOf(answer.body, 'total'))) break;
    }
    expect(found).toEqual([expect.objectContaining({ name: body.name, description: body.description })]);
  },
);

conforms(
  ['§1 a new project is visible to Super Admins only'],
  'an Admin does not see it, neither in the list nor by its id',
  async () => {
    const project = await provision(server);
    const token = server.admin ?? '';
    const asSuper = await project.send('GET', '/environments');
    const asAdmin = await project.send('GET', '/environments', { token });
    expect(asSuper.status).toBe(200);
    expect([403, 404]).toContain(asAdmin.status);
    const list = await send(server, 'GET', '/v1/projects?size=100', { token });
    expect(resultsOf(list).map(({ id }) => id)).not.toContain(project.id);
  },
  needsAdmin(server),
);

conforms(
  ['§2.1 HYBRID is the supported deployment'],
  'a project with a hosted runner, or without a name, is refused',
  async () => {
    const hosted = await post('/v1/projects', { ...projectBody(server), agentDeploymentType: 'FULL_SAAS' });
    expect(hosted.status).toBe(400);
    const { name: _, ...nameless } = projectBody(server);
    expect((await post('/v1/projects', nameless)).status).toBe(400);
  },
);

conforms(
  ['§2.2 supported authentication'],
  'the first warehouse kind takes a key pair only, the second a password only',
  async () => {
    const { path } = await provision(server);
    const [one, two] = server.warehouses.map((kind) => kind.toLowerCase());
    const connect = (authProvider: string | undefined, authType: string) =>
      post(`${path}/data-platform-connections`, {
        ...connectionBody(server, `c ${randomUUID()}`),
        authProvider,
        authType,
      });
    expect((await connect(one, 'key_pair')).status).toBe(201);
    expect((await connect(one, 'password')).status).toBe(400);
    expect((await connect(two, 'password')).status).toBe(201);
    expect((await connect(two, 'key_pair')).status).toBe(400);
    expect((await connect(one, 'none')).status).toBe(400);
  },
);

conforms(
  ['GET /v1/projects/{projectId}/environments', '§2 envelope of a paged list'],
  'environments are listed with name, runner and the runner’s name',
  async () => {
    const project = await provision(server);
    const answer = await project.send('GET', '/environments');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ page: 0, total: 3 });
    expect(new Set(resultsOf(answer).map(({ name }) => name))).toEqual(new Set(['dev', 'prod', 'test']));
    for (const item of resultsOf(answer)) {
      expect(item['defaultAgentId'] ?? item['defaultAgentID']).toBe(server.agent);
      expect(item['defaultAgentName']).toEqual(expect.any(String));
    }
  },
);

conforms(
  ['§2.3 required fields'],
  'an environment without one of its required fields is refused',
  async () => {
    const project = await provision(server);
    for (const name of [
      'name',
      'defaultAgentId',
      'defaultUserAccessLevel',
      'defaultConnections',
      'connectionOverrides',
    ]) {
      const body: Record<string, unknown> = environmentBody(server, 'uat');
      delete body[name];
      expect([name, (await project.send('POST', '/environments', { body })).status]).toEqual([name, 400]);
    }
  },
);

conforms(['§2.3 access levels'], 'the five levels are taken, another is refused', async () => {
  const project = await provision(server);
  const create = (name: string, defaultUserAccessLevel: string) =>
    project.send('POST', '/environments', {
      body: { ...environmentBody(server, name), defaultUserAccessLevel },
    });
  for (const level of ['default', 'admin', 'runner', 'readOnly', 'noAccess'])
    expect((await create(`with-${level.toLowerCase()}`, level)).status).toBe(201);
  expect((await create('with-owner', 'owner')).status).toBe(400);
});

conforms(
  ['§2.3 connections are registered ones'],
  'an environment whose default connection is not registered is refused',
  async () => {
    const project = await provision(server);
    const body = {
      ...environmentBody(server, 'uat'),
      defaultConnections: { DWH: { [server.warehouses[0].toLowerCase()]: 'no such connection' } },
    };
    expect((await project.send('POST', '/environments', { body })).status).toBe(400);
  },
);

conforms(
  ['§2.4 full hosted repositories are not supported'],
  'a link to another provider is refused',
  async () => {
    const project = await provision(server);
    const link = (provider: string) =>
      project.send('POST', '/repositories', {
        body: { provider, providerParameters: { ownerName: server.gitOwner }, repositoryName: 'conformance' },
      });
    expect((await link('hosted')).status).toBe(400);
    expect((await link(server.gitProvider)).status).toBe(201);
  },
);
