import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Auth, WorkloadIdentity } from '../../../client/index.ts';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { startPlatform } from '../../../platform/index.ts';
import { type IdTokenIssuer, startIdTokenIssuer } from '../../environment/id-token-issuer.ts';
import { clientFor, errorOf, good } from '../client-for.ts';
import { type Answer, type Received, reply, serve } from '../serve.ts';

let ci: IdTokenIssuer;
beforeEach(async () => {
  ci = await startIdTokenIssuer();
});
afterEach(async () => {
  await ci[Symbol.asyncDispose]();
});

const bearer = ({ headers }: Received): string =>
  headers.find(([name]) => name === 'authorization')?.[1] ?? '';
const formOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body.toString()));
const isExchange = ({ target }: Received): boolean => target === '/token';

function platform(answer: Answer = (response) => reply(response, 200, good.safe)): Answer {
  let issued = 0;
  return (response, request, nth) => {
    if (!isExchange(request)) return answer(response, request, nth);
    issued += 1;
    return reply(response, 200, { access_token: `issued-${issued}`, token_type: 'bearer', expires_in: 1000 });
  };
}

const fromGitHub = (audience?: string): WorkloadIdentity['idToken'] => ({
  requestUrl: ci.variables.ACTIONS_ID_TOKEN_REQUEST_URL,
  requestToken: ci.variables.ACTIONS_ID_TOKEN_REQUEST_TOKEN,
  ...(audience === undefined ? {} : { audience }),
});
const identity = (tokenUrl: string, more: Partial<WorkloadIdentity> = {}): Auth => ({
  identity: 'token-exchange',
  idToken: fromGitHub(),
  tokenUrl,
  ...more,
});

test('an ID token is asked from GitHub for the token URL, and exchanged by RFC 8693', async () => {
  await using server = await serve(platform());
  const tokenUrl = `${server.baseUrl}/token`;
  const tokens: string[] = [];
  const { client } = clientFor(server.baseUrl, {
    auth: identity(tokenUrl, { audience: 'api' }),
    onToken: (token) => tokens.push(token),
  });
  await client.projects.list();
  expect(ci.requests).toEqual([{ audience: tokenUrl, authorization: 'Bearer request-token-of-the-job' }]);
  const [exchange, call] = server.received;
  expect(exchange && formOf(exchange)).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: ci.issued[0],
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: 'api',
  });
  expect(call && bearer(call)).toBe('Bearer issued-1');
  expect(tokens).toEqual([ci.issued[0], 'issued-1']);
});

test('the ID token is the assertion of the client by RFC 7523, with its own audience', async () => {
  await using server = await serve(platform());
  const idToken = fromGitHub('millrace & co');
  const auth = identity(`${server.baseUrl}/token`, { identity: 'client-assertion', idToken, clientId: 'ci' });
  await clientFor(server.baseUrl, { auth }).client.projects.list();
  expect(ci.requests[0]?.audience).toBe('millrace & co');
  expect(server.received[0] && formOf(server.received[0])).toEqual({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: ci.issued[0],
    client_id: 'ci',
  });
});

test('a token that was refused, or is near its end, is exchanged again with a new ID token', async () => {
  await using server = await serve(
    platform((response, request) =>
      bearer(request) === 'Bearer issued-1' ? reply(response, 401) : reply(response, 200, good.safe),
    ),
  );
  const { client, clock } = clientFor(server.baseUrl, { auth: identity(`${server.baseUrl}/token`) });
  await client.projects.list();
  clock.advance(1_000_000);
  await client.projects.list();
  const sent = server.received.filter(isExchange).map((request) => formOf(request)['subject_token']);
  expect(sent).toEqual(ci.issued);
  expect(new Set(sent).size).toBe(3);
});

test('a file with the ID token is read again for each exchange', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-identity-'));
  try {
    const file = path.join(folder, 'token');
    await using server = await serve(platform());
    const { client, clock } = clientFor(server.baseUrl, {
      auth: identity(`${server.baseUrl}/token`, { idToken: { file } }),
    });
    for (const token of ['first-token', 'second-token']) {
      await writeFile(file, `${token}\n`);
      await client.projects.list();
      clock.advance(1_000_000);
    }
    const sent = server.received.filter(isExchange).map((request) => formOf(request)['subject_token']);
    expect(sent).toEqual(['first-token', 'second-token']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('GitHub’s refusal names the permission, and its failures are tried again', async () => {
  await using server = await serve(platform());
  const auth = identity(`${server.baseUrl}/token`);
  ci.refuse(403);
  const refused = clientFor(server.baseUrl, { auth }).client.projects.list();
  await expect(refused).rejects.toMatchObject({
    code: 'no-token',
    hint: expect.stringContaining('id-token: write'),
  });
  ci.refuse(503);
  const failed = await errorOf(clientFor(server.baseUrl, { auth }).client.projects.list());
  expect(failed).toMatchObject({ code: 'platform-failed', attempts: 4 });
  expect(server.received).toEqual([]);
});

test('the refusal of the token URL is shown, and no token is in an error or a log line', async () => {
  await using server = await serve((response, request) =>
    reply(response, 400, {
      error: 'invalid_request',
      error_description: `not trusted: ${formOf(request)['subject_token'] ?? ''}`,
    }),
  );
  const lines: unknown[] = [];
  const keep: Logger['debug'] = (...line) => lines.push(line);
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const { client } = clientFor(server.baseUrl, { auth: identity(`${server.baseUrl}/token`), logger });
  const error = await errorOf(client.projects.list());
  expect(error.message).toBe(
    'authentication: the token URL refused the ID token (400): not trusted: [secret].',
  );
  expect(error.code).toBe('unauthorized');
  for (const secret of [ci.issued[0] ?? '', ci.variables.ACTIONS_ID_TOKEN_REQUEST_TOKEN])
    expect(JSON.stringify(lines)).not.toContain(secret);
});

test.each(['token-exchange', 'client-assertion'] as const)('the local platform supports %s', async (way) => {
  await using local = await startPlatform({
    seed: {
      issuers: [{ issuer: ci.issuer, keys: ci.keys }],
      credentials: [{ name: 'ci', role: 'member', identity: { issuer: ci.issuer, subject: ci.subject } }],
    },
  });
  const auth = identity(`${local.baseUrl}/oauth/token`, { identity: way });
  const { results } = await clientFor(local.baseUrl, { auth }).client.projects.list();
  expect(results).toEqual([]);
});
