import { describe, expect, test } from 'vitest';
import { clientFor, errorOf } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

test('an endpoint outside the contract is called with the credential, the prefix and an encoded path', async () => {
  await using server = await serve((response) => reply(response, 200, { made: 'up' }));
  const { client } = clientFor(`${server.baseUrl}/eu`);
  const answer = await client.request({
    method: 'PUT',
    path: '/v1/projects/{projectId}/labels/{name}',
    params: { projectId: 'p', name: 'a/b c' },
    query: { from: '2031-01-01T00:00:00+01:00', dry: true, left: undefined },
    headers: { 'X-Tenant': 'finance' },
    body: { colour: 'red' },
  });
  expect(answer).toEqual({ made: 'up' });
  const [request] = server.received;
  expect(request).toMatchObject({
    method: 'PUT',
    target: '/eu/v1/projects/p/labels/a%2Fb%20c?from=2031-01-01T00%3A00%3A00%2B01%3A00&dry=true',
  });
  expect(String(request?.body)).toBe('{"colour":"red"}');
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    authorization: 'Bearer secret-token',
    'x-tenant': 'finance',
    'content-type': 'application/json',
  });
});

describe('a custom request is repeated by its retry class:', () => {
  test.each([
    ['GET', undefined, 4, 'platform-failed'],
    ['POST', undefined, 1, 'outcome-unknown'],
    ['DELETE', undefined, 1, 'outcome-unknown'],
    ['POST', 'repeatable', 4, 'platform-failed'],
    ['GET', 'once', 1, 'outcome-unknown'],
  ] as const)('%s of class %s %i times', async (method, retry, times, code) => {
    await using server = await serve((response) => reply(response, 503));
    const { client } = clientFor(server.baseUrl);
    const call = client.request({ method, path: '/v1/odd', ...(retry === undefined ? {} : { retry }) });
    expect(await errorOf(call)).toMatchObject({ code, operation: `${method} /v1/odd`, attempts: times });
    expect(server.received.length).toBe(times);
  });
});

test.each([
  ['an empty answer', '', undefined],
  ['plain text', 'Accepted.', undefined],
  ['a list', '[1]', [1]],
])('%s is passed on unchanged', async (_, text, answer) => {
  await using server = await serve((response) => void response.writeHead(200).end(text));
  const { client } = clientFor(server.baseUrl);
  const exchange = await client.exchange({ method: 'GET', path: '/v1/odd' });
  expect(exchange).toMatchObject({ status: 200, attempts: 1 });
  expect(exchange.answer).toEqual(answer);
});

test('a web page is not accepted as the answer to a custom request', async () => {
  await using server = await serve((response) => void response.writeHead(200).end('<html>log in</html>'));
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(client.request({ method: 'GET', path: '/v1/odd' }))).toMatchObject({
    code: 'answer-unreadable',
  });
});

test('a custom request uploads files as the uploads of the contract do', async () => {
  await using server = await serve((response) => reply(response, 201));
  const { client } = clientFor(server.baseUrl);
  await client.request({
    method: 'POST',
    path: '/v1/odd',
    files: [{ path: 'a.sql', bytes: 1, open: () => Buffer.from('a') }],
  });
  expect(String(server.received[0]?.body)).toContain('name="a.sql"');
});

test('invalid files are rejected before anything is sent, as in the contract’s uploads', async () => {
  await using server = await serve((response) => reply(response, 201));
  const { client } = clientFor(server.baseUrl);
  const files = [{ path: 'a.sql', bytes: Number.NaN, open: () => Buffer.from('a') }];
  expect(await errorOf(client.request({ method: 'POST', path: '/v1/odd', files }))).toMatchObject({
    code: 'request-invalid',
    violations: [{ field: 'files' }],
  });
  expect(server.received).toEqual([]);
});

describe('rejected before anything is sent:', () => {
  test.each([
    ['a path without a slash', { path: 'v1/odd' }],
    ['another host', { path: '//elsewhere.example.com/v1' }],
    ['a “..” in the path', { path: '/v1/../admin' }],
    ['an encoded “..” in the path', { path: '/v1/%2E./admin' }],
    ['a query in the path', { path: '/v1/odd?a=b' }],
    ['a blank', { path: '/v1/o dd' }],
    ['a missing parameter', { path: '/v1/{name}' }],
    ['a parameter that is “..”', { path: '/v1/{name}', params: { name: '..' } }],
    ['an authorization header', { path: '/v1/odd', headers: { Authorization: 'Bearer x' } }],
    ['a header name with a line feed', { path: '/v1/odd', headers: { 'x-\na': 'b' } }],
    ['a header value with a line feed', { path: '/v1/odd', headers: { 'x-a': 'b\nc' } }],
    ['a body and files', { path: '/v1/odd', body: 1, files: [] }],
  ])('%s', async (_, custom) => {
    await using server = await serve((response) => reply(response, 200));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(client.request({ method: 'POST', ...custom }))).toMatchObject({
      code: 'value-unsendable',
    });
    expect(server.received).toEqual([]);
  });
});
