import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { fieldOf, provision, resultsOf, type Project } from './project.ts';
import { openServer } from './server.ts';

const server = await openServer();

const variable = (name: string, value: unknown = 'today', type = 'TEXT') => ({
  name,
  type,
  behaviour: 'SHARED',
  description: 'Made by the conformance suite',
  value,
  supportsDoubleResolution: false,
});
const create = (project: Project, ...of: Parameters<typeof variable>) =>
  project.send('POST', '/variables', { body: variable(...of) });
const overrides = (project: Project, name: string, list: readonly unknown[]) =>
  project.send('POST', `/variables/${name}/environment-overrides`, { body: { overrides: list } });
const listed = (project: Project, name: string, query = '') =>
  project.send('GET', `/variables/${name}/environment-overrides${query}`);
const one = async (project: Project, name: string) =>
  resultsOf(await project.send('GET', '/variables?size=100')).find((found) => found['name'] === name);

conforms(
  [
    'POST /v1/projects/{projectId}/variables',
    'GET /v1/projects/{projectId}/variables',
    '§4.6 default page and size',
    '§2 envelope of a paged list',
    '§8 limits',
  ],
  'variables are created and listed by pages: 25 where nothing is asked for, each on exactly one page',
  async () => {
    const project = await provision(server);
    for (let i = 0; i < 30; i += 1) {
      const created = await create(project, `v_${String(i)}`, `value ${String(i)}`);
      expect(created).toMatchObject({
        status: 201,
        body: { id: expect.any(String), name: `v_${String(i)}`, value: `value ${String(i)}` },
      });
    }
    const first = await project.send('GET', '/variables');
    expect(first).toMatchObject({ status: 200, body: { page: 0, size: 25, total: 30 } });
    expect(resultsOf(first)).toHaveLength(25);
    const second = await project.send('GET', '/variables?page=1');
    expect(second).toMatchObject({ body: { page: 1, total: 30 } });
    const names = [...resultsOf(first), ...resultsOf(second)].map(({ name }) => name);
    expect(new Set(names).size).toBe(30);
    expect(resultsOf(await project.send('GET', '/variables?page=2&size=7'))).toHaveLength(7);
  },
);

conforms(['§2.9 types of values'], 'a value must be of the variable’s type', async () => {
  const project = await provision(server);
  expect((await create(project, 'text', 'a')).status).toBe(201);
  expect((await create(project, 'number', 1, 'NUMBER')).status).toBe(201);
  expect((await create(project, 'wrong', 'one', 'NUMBER')).status).toBe(400);
  expect(await one(project, 'text')).toMatchObject({
    name: 'text',
    type: 'TEXT',
    behaviour: 'SHARED',
    description: 'Made by the conformance suite',
    value: 'a',
  });
});

conforms(
  ['PATCH /v1/projects/{projectId}/variables/{variableName}', '§4.6 type and behaviour on every change'],
  'a change names type and behaviour and leaves alone what it does not name',
  async () => {
    const project = await provision(server);
    await create(project, 'day');
    const change = (body: unknown, name = 'day') => project.send('PATCH', `/variables/${name}`, { body });
    expect((await change({ value: 'later' })).status).toBe(400);
    expect((await change({ type: 'TEXT', value: 'later' })).status).toBe(400);
    const changed = await change({ type: 'TEXT', behaviour: 'SHARED', value: 'tomorrow' });
    expect(changed).toMatchObject({ status: 204, body: undefined });
    expect(await one(project, 'day')).toMatchObject({
      value: 'tomorrow',
      description: 'Made by the conformance suite',
    });
    expect((await change({ type: 'TEXT', behaviour: 'SHARED' }, 'unknown')).status).toBe(404);
  },
);

conforms(
  [
    'POST /v1/projects/{projectId}/variables/{variableName}/environment-overrides',
    'GET /v1/projects/{projectId}/variables/{variableName}/environment-overrides',
    '§4.6 rule 1',
    '§4.6 one override by its environment',
  ],
  'an override is made where there is none and changed where there is one',
  async () => {
    const project = await provision(server);
    await create(project, 'day');
    const first = await overrides(project, 'day', [
      { environmentName: 'dev', value: 'a' },
      { environmentName: 'test', value: 'b' },
    ]);
    expect(first).toMatchObject({ status: 200, body: { variableName: 'day', type: 'TEXT' } });
    expect(fieldOf(first.body, 'successfulOverrides')).toHaveLength(2);
    await overrides(project, 'day', [{ environmentName: 'dev', value: 'c' }]);
    const all = await listed(project, 'day');
    expect(all).toMatchObject({
      status: 200,
      body: { variable: { id: expect.any(String), name: 'day', type: 'TEXT' } },
    });
    const found = fieldOf(all.body, 'overrides');
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ environmentName: 'dev', value: 'c' }),
        expect.objectContaining({ environmentName: 'test', value: 'b' }),
      ]),
    );
    const single = await listed(project, 'day', '?environmentName=test');
    expect(fieldOf(single.body, 'overrides')).toEqual([
      expect.objectContaining({ environmentName: 'test', value: 'b' }),
    ]);
  },
);

conforms(
  ['§4.6 rule 2'],
  'an answer 200 lists the variables that could not be applied beside the applied ones',
  async () => {
    const project = await provision(server);
    await create(project, 'count', 1, 'NUMBER');
    const answer = await overrides(project, 'count', [
      { environmentName: 'dev', value: 2 },
      { environmentName: 'nowhere', value: 3 },
      { environmentName: 'test', value: 'three' },
    ]);
    expect(answer.status).toBe(200);
    const failed = fieldOf(answer.body, 'failedOverrides') ?? fieldOf(answer.body, 'failedOverride');
    expect(fieldOf(answer.body, 'successfulOverrides')).toHaveLength(1);
    expect(JSON.stringify(failed)).toContain('nowhere');
    expect(failed).toHaveLength(2);
    expect(fieldOf((await listed(project, 'count')).body, 'overrides')).toEqual([
      expect.objectContaining({ environmentName: 'dev', value: 2 }),
    ]);
  },
);

conforms(
  ['DELETE /v1/projects/{projectId}/variables/{variableName}/environment-overrides/{environmentName}'],
  'one override is deleted, the others stay',
  async () => {
    const project = await provision(server);
    await create(project, 'day');
    await overrides(project, 'day', [
      { environmentName: 'dev', value: 'a' },
      { environmentName: 'test', value: 'b' },
    ]);
    const deleted = await project.send('DELETE', '/variables/day/environment-overrides/dev');
    expect(deleted).toMatchObject({ status: 204, body: undefined });
    expect(fieldOf((await listed(project, 'day')).body, 'overrides')).toEqual([
      expect.objectContaining({ environmentName: 'test' }),
    ]);
    expect((await project.send('DELETE', '/variables/day/environment-overrides/dev')).status).toBe(404);
  },
);

conforms(
  ['DELETE /v1/projects/{projectId}/variables/{variableName}', '§4.6 deletion takes the overrides along'],
  'a deleted variable is absent, and a new one of the same name has no overrides',
  async () => {
    const project = await provision(server);
    await create(project, 'day');
    await overrides(project, 'day', [{ environmentName: 'dev', value: 'a' }]);
    expect(await project.send('DELETE', '/variables/day')).toMatchObject({ status: 204, body: undefined });
    expect(await one(project, 'day')).toBeUndefined();
    expect((await listed(project, 'day')).status).toBe(404);
    await create(project, 'day');
    expect(fieldOf((await listed(project, 'day')).body, 'overrides')).toEqual([]);
    expect((await project.send('DELETE', '/variables/unknown')).status).toBe(404);
  },
);
