import { describe, expect, test } from 'vitest';
import type { Client } from '../../../client/index.ts';
import { calls, clientFor, errorOf } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

test('the error contains the platform’s message and the fields that it lists', async () => {
  await using server = await serve((response) =>
    reply(response, 400, {
      title: 'Bad Request',
      status: 400,
      detail: 'The pipeline cannot be created while its runner is paused.',
      instance: '/v1',
      'validation-errors': [{ field: 'agentId', message: 'must be a running runner' }],
    }),
  );
  const { client } = clientFor(server.baseUrl);
  expect((await errorOf(calls.once(client))).message).toBe(
    'executions.start: was answered 400: “The pipeline cannot be created while its runner is paused”: agentId: must be a running runner.',
  );
  await client.close();
});

test('a detail that only repeats the violation appears once', async () => {
  await using server = await serve((response) =>
    reply(response, 400, {
      title: 'Bad Request',
      status: 400,
      detail: 'x is wrong',
      violations: ['x is wrong'],
    }),
  );
  const { client } = clientFor(server.baseUrl);
  expect((await errorOf(calls.once(client))).message).toBe('executions.start: was answered 400: x is wrong.');
  await client.close();
});

test('the error contains the summary and the list of a refusal, whatever its status', async () => {
  await using server = await serve((response) =>
    reply(response, 409, {
      title: 'The version cannot be promoted.',
      status: 409,
      violations: ['prod lacks the connection warehouse', 'prod is frozen'],
    }),
  );
  const { client } = clientFor(server.baseUrl);
  const input = {
    projectId: 'p',
    versionName: '1',
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'prod',
  };
  expect((await errorOf(client.artifacts.promote(input))).message).toBe(
    'artifacts.promote was answered 409: it already exists, or its state does not allow the call. The platform says: “The version cannot be promoted.”: prod lacks the connection warehouse; prod is frozen',
  );
  await client.close();
});

test('a refusal that names the missing access level says it, with the environment and a hint', async () => {
  await using server = await serve((response) =>
    reply(response, 403, {
      error: 'Too low.',
      status: 403,
      requiredAccessLevel: 'runner',
      accessLevel: 'readOnly',
      environmentName: 'prod',
    }),
  );
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.once(client))).toMatchObject({
    code: 'forbidden',
    message:
      'executions.start was answered 403: the credential lacks the access level runner in “prod”. The platform says: “Too low.”',
    hint: expect.stringContaining('Give the credential the access level runner in “prod”'),
  });
  await client.close();
});

test('a refusal whose access level is not a text is one like any other', async () => {
  await using server = await serve((response) =>
    reply(response, 403, { error: 'No.', status: 403, requiredAccessLevel: { level: 'admin' } }),
  );
  const { client } = clientFor(server.baseUrl);
  expect((await errorOf(calls.once(client))).message).toBe(
    'executions.start was answered 403: the credential lacks the permission. The platform says: “No.”',
  );
  await client.close();
});

test('a review that the platform does not find is about the commit, not about a name', async () => {
  await using server = await serve((response) => reply(response, 404, { title: 'Not Found', status: 404 }));
  const { client } = clientFor(server.baseUrl);
  const input = {
    projectId: 'p',
    agentVersion: '9',
    branchName: 'b',
    commitId: 'c',
    pipelines: ['a.orch.yaml'],
  };
  expect(await errorOf(client.reviews.create(input))).toMatchObject({
    code: 'not-found',
    hint: expect.stringMatching(/the commit was pushed to this branch.*`millrace review --local`/) as string,
  });
  await client.close();
});

describe('an unreachable address is named with host and port:', () => {
  test('the platform', async () => {
    const { client } = clientFor('http://127.0.0.1:1/platform');
    expect((await errorOf(calls.once(client))).message).toMatch(
      /^executions\.start: the platform at 127\.0\.0\.1:1 could not be reached: the connection was refused/,
    );
    await client.close();
  });

  test('the token URL', async () => {
    const tokenUrl = 'http://127.0.0.1:1/token';
    const auth = { clientId: 'id', clientSecret: 'a-client-secret', tokenUrl };
    const { client } = clientFor('http://127.0.0.1:2', { auth });
    const { message } = await errorOf(calls.once(client));
    expect(message).toContain('the token URL at 127.0.0.1:1 could not be reached');
    await client.close();
  });

  test('a proxy, without its password', async () => {
    const proxy = { http: 'http://user:proxy-password@127.0.0.1:1' };
    const { client } = clientFor('http://platform.example.com', { proxy });
    const { message } = await errorOf(calls.once(client));
    expect(message).toContain('platform.example.com:80 (through the proxy 127.0.0.1:1) could not be reached');
    expect(message).not.toContain('proxy-password');
    await client.close();
  });

  test('https to a port without TLS, without OpenSSL’s message', async () => {
    await using server = await serve((response) => reply(response, 200, {}));
    const { client } = clientFor(server.baseUrl.replace('http:', 'https:'));
    const { message } = await errorOf(calls.once(client));
    expect(message).toContain(
      `the platform at ${server.baseUrl.slice('http://'.length)} could not be reached`,
    );
    expect(message).toContain('the server does not use TLS');
    expect(message).not.toMatch(/openssl|SSL routines|:error:/);
    await client.close();
  });
});

describe('an invalid field is described in our own words, not in zod’s:', () => {
  const broken = (input: unknown) => (client: Client) => client.artifacts.promote(input as never);
  const rest = { projectId: 'p', sourceEnvironmentName: 'dev', targetEnvironmentName: 'test' };
  test.each([
    ['a missing one', broken(rest), 'versionName: is missing'],
    ['one of another type', broken({ ...rest, versionName: 1 }), 'versionName: must be text'],
    ['one that is null', broken({ ...rest, versionName: null }), 'versionName: is empty; it must be text'],
    ['an empty one', broken({ ...rest, versionName: '' }), 'versionName: must not be empty'],
  ])('%s', async (_, call, words) => {
    const { client } = clientFor('http://127.0.0.1:1');
    const { message } = await errorOf(call(client));
    expect(message).toContain(words);
    expect(message).not.toMatch(/Invalid|expected|received|undefined/);
    await client.close();
  });

  test('of an answer too', async () => {
    await using server = await serve((response) =>
      reply(response, 200, { page: 0, results: [{}], size: 25, total: 1 }),
    );
    const { client } = clientFor(server.baseUrl);
    expect((await errorOf(calls.safe(client))).message).toBe(
      'projects.list was answered 200, but results.0.id does not match the specification: it is missing.',
    );
    await client.close();
  });
});
