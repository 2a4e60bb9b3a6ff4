import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { operations } from '../../../lib/contract/operations.ts';
import { talk } from '../talk.ts';

test('every operation is there: none answers as an unknown route does (§4)', async () => {
  await using platform = await talk();
  for (const { method, path } of operations) {
    const url = path.replace('{projectId}', platform.platform.projectId).replaceAll(/\{\w+\}/g, 'none');
    const { status, body } = await platform.send(method, url);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body)).not.toContain('There is no ');
  }
});

test('an unknown route, method or trailing slash is answered 404 as JSON (§7)', async () => {
  await using platform = await talk();
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1/projects/'],
    ['PUT', '/v1/projects'],
    ['GET', '/v2/projects'],
  ] as const)
    expect(await platform.send(method, path)).toMatchObject({
      status: 404,
      body: { error: `The route ${method} ${path} does not exist.`, status: 404 },
    });
});

test('an invalid or missing JSON body is answered 400 with violations (unknowns §1)', async () => {
  await using platform = await talk();
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{', '', 'null', '[]', '"text"'])
    expect([body, await platform.post('/v1/projects', body, { headers })]).toMatchObject([
      body,
      { status: 400, body: { title: 'Bad Request', status: 400, violations: [expect.any(String)] } },
    ]);
  expect((await platform.post('/v1/projects')).status).toBe(400);
});

test('a 400 says every violation, the request path, and no secret or stack (§7, unknowns §1)', async () => {
  await using platform = await talk();
  const answer = await platform.post('/v1/projects?x=1', { name: '', password: 'hunter2' });
  expect(answer.body).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'query x is not a known field',
    instance: '/v1/projects',
    violations: [
      'query x is not a known field',
      'name must not be empty',
      'warehouse must not be null',
      'agentDeploymentType must not be null',
      'password is not a known field',
    ],
  });
});

test('every answer bears a request id of its own', async () => {
  await using platform = await talk();
  const ids = [];
  for (const path of ['/v1/projects', '/v1/projects', '/nowhere'])
    ids.push((await platform.get(path)).headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true);
});

test('what only a bug can cause is answered 500 without its message, and the log says more', async () => {
  const lines: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void lines.push(message) };
  let broken = false;
  const clock = {
    now() {
      if (broken) throw new Error('secret detail at /a/path.ts:1');
      return 0;
    },
    sleep: () => Promise.resolve(),
  };
  await using platform = await talk({ logger, clock });
  broken = true;
  expect(await platform.publish('1')).toMatchObject({
    status: 500,
    body: { error: 'The local platform failed. See its log for the cause.', status: 500 },
  });
  expect(lines).toEqual(['An operation failed']);
  broken = false;
  expect((await platform.publish('1')).status).toBe(201);
});

test('any Host header is accepted, and an invalid HTTP request is answered 400', async () => {
  await using platform = await talk();
  const { hostname, port } = new URL(platform.platform.baseUrl);
  const ask = async (request: string) => {
    const socket = connect(Number(port), hostname);
    socket.end(request);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('utf8').split('\r\n', 1)[0];
  };
  expect(await ask('GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toBe(
    'HTTP/1.1 401 Unauthorized',
  );
  expect(await ask('this is not a request\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
});

test('the contract is served as OpenAPI, without a token, with the address that was asked', async () => {
  await using platform = await talk();
  const { status, body } = await platform.get('/_platform/openapi.json', { token: '' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: platform.platform.baseUrl }] });
});
