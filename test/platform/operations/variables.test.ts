import { expect, test } from 'vitest';
import { field, resultsOf, talk } from '../talk.ts';

const definition = {
  name: 'region',
  type: 'TEXT',
  behaviour: 'SHARED',
  description: 'Where',
  value: 'north',
  supportsDoubleResolution: true,
};

test('a variable is created and listed, by default page 0 of size 25 (§4.6, §8)', async () => {
  await using platform = await talk();
  const created = await platform.post(`${platform.project}/variables`, definition);
  expect(created.status).toBe(201);
  const id = field(created, 'id');
  expect(created.body).toEqual({ id, name: 'region', value: 'north' });
  for (let i = 1; i <= 26; i += 1)
    await platform.post(`${platform.project}/variables`, {
      name: `n${String(i)}`,
      type: 'NUMBER',
      behaviour: 'COPIED',
      value: i,
    });
  const listed = await platform.get(`${platform.project}/variables`);
  expect(listed.body).toMatchObject({ page: 0, size: 25, total: 27 });
  expect(resultsOf(listed)).toHaveLength(25);
  expect(resultsOf(listed)[0]).toEqual({ id, ...definition });
  expect(
    resultsOf(await platform.get(`${platform.project}/variables?page=1`)).map((row) => row['value']),
  ).toEqual([25, 26]);
});

test.each([
  ['a number for a text', { value: 5 }, 'value must be a text for the type TEXT (§2.9)'],
  [
    'a text for a number',
    { type: 'NUMBER', value: '5' },
    'value must be a number for the type NUMBER (§2.9)',
  ],
  ['a boolean', { value: true }, 'value is wrong'],
  ['an unknown type', { type: 'DATE' }, 'type is wrong'],
  ['an unknown behaviour', { behaviour: 'OTHER' }, 'behaviour is wrong'],
  ['no behaviour', { behaviour: undefined }, 'behaviour must not be null'],
  ['no name', { name: undefined }, 'name must not be null'],
  ['an unknown field', { scope: 'x' }, 'scope is not a known field'],
])('a variable with %s is refused (§2.9)', async (_what, change, violation) => {
  await using platform = await talk();
  const answer = await platform.post(`${platform.project}/variables`, { ...definition, ...change });
  expect(answer.status).toBe(400);
  expect(field(answer, 'detail')).toContain(violation);
});

test('a second variable of a name is answered 409, an unknown one 404 (unknowns §3)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  expect(await platform.post(`${platform.project}/variables`, definition)).toMatchObject({
    status: 409,
    body: { error: 'A variable named "region" already exists.', status: 409 },
  });
  const unknown = `${platform.project}/variables/nowhere`;
  const change = { type: 'TEXT', behaviour: 'SHARED' };
  for (const answer of [
    await platform.patch(unknown, change),
    await platform.delete(unknown),
    await platform.get(`${unknown}/environment-overrides`),
    await platform.post(`${unknown}/environment-overrides`, {
      overrides: [{ environmentName: 'dev', value: 'x' }],
    }),
    await platform.delete(`${unknown}/environment-overrides/dev`),
  ])
    expect(answer).toMatchObject({
      status: 404,
      body: { error: 'The variable "nowhere" does not exist.', status: 404 },
    });
});

test('a change needs type and behaviour, changes what is sent and keeps the rest (§4.6)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  const path = `${platform.project}/variables/region`;
  expect((await platform.patch(path, { value: 'south' })).body).toMatchObject({
    violations: ['type must not be null', 'behaviour must not be null'],
  });
  const changed = await platform.patch(path, { type: 'TEXT', behaviour: 'COPIED', value: 'south' });
  expect(changed).toMatchObject({ status: 204, body: undefined });
  expect(resultsOf(await platform.get(`${platform.project}/variables`))[0]).toMatchObject({
    ...definition,
    behaviour: 'COPIED',
    value: 'south',
  });
  await platform.patch(path, {
    type: 'TEXT',
    behaviour: 'COPIED',
    description: '',
    supportsDoubleResolution: false,
  });
  expect(resultsOf(await platform.get(`${platform.project}/variables`))[0]).toMatchObject({
    description: '',
    value: 'south',
    supportsDoubleResolution: false,
  });
});

test('the name of a variable is immutable (§2.9)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  const answer = await platform.patch(`${platform.project}/variables/region`, {
    type: 'TEXT',
    behaviour: 'SHARED',
    name: 'other',
  });
  expect(answer).toMatchObject({ status: 400, body: { violations: ['name is not a known field'] } });
});

test('the type may change only to one that value and overrides match (§2.9, §4.6)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  const path = `${platform.project}/variables/region`;
  expect((await platform.patch(path, { type: 'NUMBER', behaviour: 'SHARED' })).status).toBe(400);
  await platform.post(`${path}/environment-overrides`, {
    overrides: [{ environmentName: 'dev', value: 'east' }],
  });
  expect((await platform.patch(path, { type: 'NUMBER', behaviour: 'SHARED', value: 1 })).body).toMatchObject({
    violations: ['The override in "dev" does not match the type NUMBER (§2.9)'],
  });
  await platform.delete(`${path}/environment-overrides/dev`);
  expect((await platform.patch(path, { type: 'NUMBER', behaviour: 'SHARED', value: 1 })).status).toBe(204);
  expect(resultsOf(await platform.get(`${platform.project}/variables`))[0]).toMatchObject({
    type: 'NUMBER',
    value: 1,
  });
});

test('overrides are created and updated by the same call (§4.6 rule 1)', async () => {
  await using platform = await talk();
  const created = await platform.post(`${platform.project}/variables`, definition);
  const path = `${platform.project}/variables/region/environment-overrides`;
  const overrides = [
    { environmentName: 'dev', value: 'east' },
    { environmentName: 'prod', value: 'west' },
  ];
  expect(await platform.post(path, { overrides })).toMatchObject({
    status: 200,
    body: { variableName: 'region', type: 'TEXT', successfulOverrides: overrides, failedOverrides: [] },
  });
  await platform.post(path, { overrides: [{ environmentName: 'dev', value: 'centre' }] });
  expect((await platform.get(path)).body).toEqual({
    variable: { id: field(created, 'id'), name: 'region', type: 'TEXT' },
    overrides: [
      { environmentName: 'dev', value: 'centre' },
      { environmentName: 'prod', value: 'west' },
    ],
  });
  expect((await platform.get(`${path}?environmentName=prod`)).body).toMatchObject({
    overrides: [{ environmentName: 'prod', value: 'west' }],
  });
  expect((await platform.get(`${path}?environmentName=test`)).body).toMatchObject({ overrides: [] });
});

test('an override that cannot be applied is reported inside a 200, and the others are applied (§4.6 rule 2)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  const path = `${platform.project}/variables/region/environment-overrides`;
  const answer = await platform.post(path, {
    overrides: [
      { environmentName: 'moon', value: 'x' },
      { environmentName: 'dev', value: 5 },
      { environmentName: 'test', value: 'fine' },
    ],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    variableName: 'region',
    type: 'TEXT',
    successfulOverrides: [{ environmentName: 'test', value: 'fine' }],
    failedOverrides: [
      { environmentName: 'moon', value: 'x', reason: 'The environment does not exist.' },
      {
        environmentName: 'dev',
        value: 5,
        reason: 'The value type is incompatible with the variable type TEXT.',
      },
    ],
  });
  expect((await platform.get(path)).body).toMatchObject({
    overrides: [{ environmentName: 'test', value: 'fine' }],
  });
});

test('a caller without the permission gets a failed override, not a 403 (§5 rule 7)', async () => {
  await using platform = await talk({
    seed: {
      projects: [
        {
          name: 'p',
          environments: ['dev', { name: 'prod', defaultUserAccessLevel: 'readOnly' }],
          variables: [{ name: 'v', type: 'NUMBER', behaviour: 'SHARED', value: 1 }],
        },
      ],
      credentials: [
        { name: 'one', role: 'member' },
        { name: 'two', role: 'member', accessLevel: 'runner', token: 'token-two' },
        { name: 'three', role: 'admin' },
      ],
    },
  });
  const path = `${platform.project}/variables/v/environment-overrides`;
  const overrides = [
    { environmentName: 'dev', value: 2 },
    { environmentName: 'prod', value: 3 },
  ];
  const set = async (token: string) => (await platform.post(path, { overrides }, { token })).body;
  const { tokens } = platform.platform;
  expect(await set(tokens.member)).toMatchObject({
    successfulOverrides: [{ environmentName: 'dev' }],
    failedOverrides: [
      {
        environmentName: 'prod',
        reason:
          'No permission to create or edit overrides: the access level is readOnly, and this needs admin.',
      },
    ],
  });
  expect(await set('token-two')).toMatchObject({
    successfulOverrides: [],
    failedOverrides: [{ environmentName: 'dev' }, { environmentName: 'prod' }],
  });
  expect(await set(tokens.admin)).toMatchObject({ failedOverrides: [] });
});

test('an override is deleted once, then it is not there (§4.6)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, definition);
  const path = `${platform.project}/variables/region/environment-overrides`;
  await platform.post(path, { overrides: [{ environmentName: 'dev', value: 'east' }] });
  expect((await platform.delete(`${path}/dev`)).status).toBe(204);
  expect(await platform.delete(`${path}/dev`)).toMatchObject({
    status: 404,
    body: { error: 'The variable "region" has no override in "dev".', status: 404 },
  });
});

test('a variable whose name holds a slash or a space is reached by its encoded name (§2.9)', async () => {
  await using platform = await talk();
  await platform.post(`${platform.project}/variables`, { ...definition, name: 'a b/c?%' });
  const path = `${platform.project}/variables/${encodeURIComponent('a b/c?%')}`;
  expect((await platform.patch(path, { type: 'TEXT', behaviour: 'SHARED', value: 'x' })).status).toBe(204);
  expect((await platform.delete(path)).status).toBe(204);
});

test('the ledger says that a variable was changed, and by which request', async () => {
  await using platform = await talk();
  const variable = { name: 'v', type: 'TEXT', behaviour: 'SHARED', value: 'x' };
  await platform.post(`${platform.project}/variables`, variable);
  const { type, behaviour } = variable;
  const changed = await platform.patch(`${platform.project}/variables/v`, { type, behaviour, value: 'y' });
  expect(platform.platform.ledger({ effect: 'changed' })).toEqual([
    expect.objectContaining({
      operation: 'variables.update',
      requestId: changed.headers.get('x-request-id'),
      subject: expect.objectContaining({ type: 'variable', name: 'v' }),
    }),
  ]);
});
