import { describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { asOperation, operations } from '../../../lib/contract/operations.ts';
import { inputNameOf } from '../../../lib/contract/description/input-name.ts';
import { clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

const upload = {
  projectId: 'p',
  versionName: '1.4.0',
  environmentName: 'dev',
  commitHash: 'abc',
  files: [{ path: 'a.orch.yaml', bytes: 1, open: () => Buffer.from('a') }],
};

describe('a version', () => {
  test.each(['1.0\n', '1.0\r\nx: y', 'v\t1', '1.0\u0000', '1.0\u0085'])(
    'with a control character (%j) is rejected before anything is sent',
    async (versionName) => {
      await using server = await serve((response) => reply(response, 201));
      const { client } = clientFor(server.baseUrl);
      const start = { projectId: 'p', pipelineName: 'a', environmentName: 'dev', versionName };
      for (const call of [
        client.artifacts.create({ ...upload, versionName }),
        client.executions.start(start),
      ]) {
        expect(await errorOf(call)).toMatchObject({ code: 'version-invalid', exitCode: 2, attempts: 0 });
      }
      expect(server.received).toEqual([]);
    },
  );

  test.each(['1.0 ', ' 1.0', '1.0-β', '1.0-🚀'])(
    'that a header cannot carry (%j) is rejected',
    async (versionName) => {
      const { client } = clientFor('http://127.0.0.1:9');
      const error = await errorOf(client.artifacts.create({ ...upload, versionName }));
      expect(error).toMatchObject({ code: 'version-invalid', details: { field: 'versionName' } });
    },
  );

  test.each(['latest', '[Latest]'])(
    'named %s is rejected for shared versions, and the error names the rule',
    async (versionName) => {
      const { client } = clientFor('http://127.0.0.1:9');
      const shared = { sharedPipelineIdPrefix: 'finance', versionName };
      for (const call of [
        client.sharedArtifacts.details(shared),
        client.sharedArtifacts.setEnabled({ ...shared, enabled: true }),
        client.sharedArtifacts.publish({ ...shared, files: upload.files }),
      ]) {
        const error = await errorOf(call);
        expect(error.code).toBe('version-invalid');
        expect(error.message).toContain('spec §4.8 rule 1');
      }
    },
  );
});

test.each([
  ['a line feed in a branch', { branch: 'main\nx' }, 'branch', 'a line feed'],
  ['a character outside Latin-1 in a branch', { branch: 'zweig-ł' }, 'branch', '“ł” (U+0142)'],
  ['a space at the end of an environment', { environmentName: 'dev ' }, 'environmentName', 'space'],
])('%s is rejected before sending, and the error names the field', async (_, change, field, reason) => {
  const { client } = clientFor('http://127.0.0.1:9');
  const error = await errorOf(client.artifacts.create({ ...upload, ...change }));
  expect(error).toMatchObject({ code: 'value-unsendable', details: { field } });
  expect(error.message).toContain(reason);
});

test('a Latin-1 character in a header arrives unchanged', async () => {
  await using server = await serve((response) => reply(response, 201));
  const { client } = clientFor(server.baseUrl);
  await client.artifacts.create({ ...upload, branch: 'grüße' });
  expect(server.received[0]?.headers).toContainEqual(['branch', 'grüße']);
});

describe('a name in a path', () => {
  test.each(['.', '..'])('that is %j is rejected', async (variableName) => {
    const { client } = clientFor('http://127.0.0.1:9');
    const error = await errorOf(client.variables.delete({ projectId: 'p', variableName }));
    expect(error).toMatchObject({ code: 'value-unsendable', details: { field: 'variableName' } });
  });

  test('that is empty is rejected', async () => {
    const { client } = clientFor('http://127.0.0.1:9');
    const error = await errorOf(client.variables.delete({ projectId: '', variableName: 'x' }));
    expect(error).toMatchObject({ code: 'request-invalid', violations: [{ field: 'projectId' }] });
  });

  test.each([
    ['../../admin', '..%2F..%2Fadmin'],
    ['%2e%2e', '%252e%252e'],
    ['a?b#c', 'a%3Fb%23c'],
    ['größe 🚀', 'gr%C3%B6%C3%9Fe%20%F0%9F%9A%80'],
  ])('that is %j stays one segment', async (variableName, step) => {
    await using server = await serve((response) => reply(response, 204));
    const { client } = clientFor(server.baseUrl);
    await client.variables.delete({ projectId: 'p', variableName });
    expect(server.received[0]?.target).toBe(`/v1/projects/p/variables/${step}`);
  });

  test('with half of a character is rejected', async () => {
    const { client } = clientFor('http://127.0.0.1:9');
    const error = await errorOf(client.variables.delete({ projectId: 'p', variableName: 'a\uD800' }));
    expect(error.code).toBe('value-unsendable');
  });
});

describe('an input that does not fit the specification', () => {
  test('is rejected with every invalid field, and nothing is sent', async () => {
    await using server = await serve((response) => reply(response, 201));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(
      client.request('executions.start', {
        projectId: 'p',
        environmentName: 7,
        colour: 'red',
        scalarVariables: { a: 1 },
      }),
    );
    expect(error).toMatchObject({ code: 'request-invalid', exitCode: 2 });
    const fields = (error as unknown as { violations: { field: string }[] }).violations.map(
      ({ field }) => field,
    );
    expect(fields.toSorted()).toEqual(['colour', 'environmentName', 'pipelineName', 'scalarVariables.a']);
    expect(server.received).toEqual([]);
  });

  test('that matches neither alternative of a union is compared with the closest one', async () => {
    const { client } = clientFor('http://127.0.0.1:9');
    const text = { value: 'x' };
    const call = client.request('environments.create', {
      projectId: 'p',
      name: 'dev',
      defaultAgentId: '5b1d2c34-8f6a-4e09-b7c2-1a3f4d5e6f70',
      defaultUserAccessLevel: 'runner',
      defaultConnections: { DWH: { warehouse_one: 'c' } },
      connectionOverrides: [
        {
          connectionName: 'c',
          connectionProperties: {
            account: text,
            username: text,
            defaultWarehouse: text,
            defaultDatabase: text,
            defaultSchema: text,
            privateKey: { secretName: 'key', colour: 'red' },
          },
        },
      ],
    });
    const error = (await errorOf(call)) as unknown as { violations: { field: string }[] };
    expect(error.violations.map(({ field }) => field).toSorted()).toEqual([
      'connectionOverrides.0.connectionProperties.defaultRole',
      'connectionOverrides.0.connectionProperties.privateKey.colour',
    ]);
  });

  test('with a value of neither type is named with its position', async () => {
    const { client } = clientFor('http://127.0.0.1:9');
    const call = client.request('overrides.set', {
      projectId: 'p',
      variableName: 'v',
      overrides: [{ environmentName: 'dev', value: true }],
    });
    expect(await errorOf(call)).toMatchObject({ violations: [{ field: 'overrides.0.value' }] });
  });

  test('names a header by its input field', async () => {
    const { client } = clientFor('http://127.0.0.1:9');
    const call = client.request('reviews.create', {
      projectId: 'p',
      branchName: 'b',
      commitId: 'c',
      pipelines: ['a'],
    });
    expect(await errorOf(call)).toMatchObject({ violations: [{ field: 'agentVersion' }] });
  });

  test.each(['projects.list', 'artifacts.create'])(
    'is rejected for a field that %s does not have',
    async (id) => {
      const { client } = clientFor('http://127.0.0.1:9');
      const call = client.request(id, { ...(id === 'artifacts.create' ? upload : {}), colour: 'red' });
      expect(await errorOf(call)).toMatchObject({ violations: [{ field: 'colour' }] });
    },
  );
});

test('an unknown operation is a usage error', async () => {
  const { client } = clientFor('http://127.0.0.1:9');
  await expect(client.request('projects.paint')).rejects.toMatchObject({ code: 'usage' });
});

test('an exchange has status, headers, request id and attempts in addition to the answer', async () => {
  await using server = await serve((response, _, nth) =>
    nth === 1 ? reply(response, 500) : reply(response, 200, good.safe, { 'x-request-id': 'theirs' }),
  );
  const { client } = clientFor(server.baseUrl);
  expect(await client.exchange('projects.list')).toMatchObject({
    answer: good.safe,
    status: 200,
    headers: { 'content-type': 'application/json' },
    requestId: 'theirs',
    attempts: 2,
  });
});

describe('the base URL', () => {
  test.each(['', '/'])('may have a path and end in %j', async (end) => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(`${server.baseUrl}/region/one${end}`);
    await client.projects.list();
    expect(server.received[0]?.target).toBe('/region/one/v1/projects');
  });

  test('that ends in /v1 does not repeat it', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(`${server.baseUrl}/v1/`);
    await client.projects.list();
    expect(server.received[0]?.target).toBe('/v1/projects');
  });

  test.each([
    ['', 'no-base-url'],
    ['platform.example.com', 'usage'],
    ['ftp://platform.example.com', 'usage'],
    ['https://ada:pass@platform.example.com', 'usage'],
    ['https://platform.example.com/?x=1', 'usage'],
  ])('%j is rejected by createClient (%s)', (baseUrl, code) => {
    expect(() => createClient({ baseUrl, auth: { token: 'secret-token' } })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

test('no operation has two fields with the same name in the flat input', () => {
  for (const row of operations) {
    const operation = asOperation(row);
    const names = [
      ...Object.keys(operation.params.shape),
      ...Object.keys(operation.query.shape),
      ...Object.keys(operation.headers.shape).map(inputNameOf),
      ...(operation.body.kind === 'json' ? Object.keys(operation.body.schema.shape) : ['files']),
    ];
    expect(names.length, operation.id).toBe(new Set(names).size);
  }
});
