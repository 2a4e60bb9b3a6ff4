import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../../client/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { clientFor, errorOf, good } from '../client-for.ts';
import { type Answer, type Received, reply, serve } from '../serve.ts';

const bearer = ({ headers }: Received): string =>
  headers.find(([name]) => name === 'authorization')?.[1] ?? '';
const isExchange = ({ target }: Received): boolean => target === '/token';

/** Issues the tokens `issued-1`, `issued-2`, … at /token and answers everything else with `answer`. */
function platform(answer: Answer = (response) => reply(response, 200, good.safe)): Answer {
  let issued = 0;
  return (response, request, nth) => {
    if (!isExchange(request)) return answer(response, request, nth);
    issued += 1;
    return reply(response, 200, { access_token: `issued-${issued}`, token_type: 'bearer', expires_in: 1000 });
  };
}

const credentials = (baseUrl: string) => ({
  clientId: 'millrace ci',
  clientSecret: 's&cret+value',
  tokenUrl: `${baseUrl}/token`,
  audience: 'https://platform.example.com',
});

describe('client credentials', () => {
  test('are exchanged form-encoded, and the token is sent as a bearer token', async () => {
    await using server = await serve(platform());
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    await client.projects.list();
    const [exchange, call] = server.received;
    expect(exchange).toMatchObject({ method: 'POST', target: '/token' });
    expect(exchange?.headers).toContainEqual(['content-type', 'application/x-www-form-urlencoded']);
    expect(exchange?.body.toString()).toBe(
      'grant_type=client_credentials&client_id=millrace+ci&client_secret=s%26cret%2Bvalue&audience=https%3A%2F%2Fplatform.example.com',
    );
    expect(call && bearer(call)).toBe('Bearer issued-1');
  });

  test('are exchanged once for any number of concurrent calls', async () => {
    await using server = await serve(platform());
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    await Promise.all(Array.from({ length: 20 }, () => client.projects.list()));
    expect(server.received.filter(isExchange).length).toBe(1);
  });

  test('are exchanged again after 80 % of the lifetime, and not before', async () => {
    await using server = await serve(platform());
    const { client, clock } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    await client.projects.list();
    clock.advance(799_999);
    await client.projects.list();
    expect(server.received.filter(isExchange).length).toBe(1);
    clock.advance(1);
    await client.projects.list();
    expect(server.received.filter(isExchange).length).toBe(2);
  });

  test('that cannot be exchanged again leave the old token in use until it expires', async () => {
    let down = false;
    await using server = await serve((response, request, nth) =>
      down && isExchange(request) ? reply(response, 503) : platform()(response, request, nth),
    );
    const { client, clock } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    await client.projects.list();
    down = true;
    clock.advance(850_000);
    await client.projects.list();
    clock.advance(150_000);
    expect(await errorOf(client.projects.list())).toMatchObject({
      code: 'platform-failed',
      operation: 'authentication',
    });
  });

  test('are exchanged again once after a 401, also for a start: a refused call was not processed', async () => {
    await using server = await serve(
      platform((response, request) =>
        bearer(request) === 'Bearer issued-1' ? reply(response, 401) : reply(response, 201, good.once),
      ),
    );
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    const start = { projectId: 'p', pipelineName: 'a', environmentName: 'dev' };
    expect(await client.executions.start(start)).toEqual(good.once);
    expect(server.received.map(({ target }) => target.split('/').at(-1))).toEqual([
      'token',
      'pipeline-executions',
      'token',
      'pipeline-executions',
    ]);
  });

  test('are not exchanged without end when the platform answers every token with 401', async () => {
    await using server = await serve(platform((response) => reply(response, 401)));
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    expect(await errorOf(client.projects.list())).toMatchObject({ code: 'unauthorized', attempts: 2 });
    expect(server.received.length).toBe(4);
  });

  test('that are wrong end with the message of the token URL', async () => {
    await using server = await serve((response) =>
      reply(response, 400, { error: 'invalid_client', error_description: 'no such client: s&cret+value' }),
    );
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    const error = await errorOf(client.projects.list());
    expect(error).toMatchObject({ code: 'unauthorized', operation: 'authentication' });
    expect(error.message).toBe(
      'authentication: the token URL refused the client credentials (400): no such client: [secret].',
    );
  });

  test('whose answer has no token are unreadable', async () => {
    await using server = await serve((response) => reply(response, 200, { ok: true }));
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    expect(await errorOf(client.projects.list())).toMatchObject({ code: 'answer-unreadable' });
  });
});

describe('a token file', () => {
  async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'millrace-token-'));
    try {
      await work(path.join(folder, 'token'));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('is read again for each call, without its trailing line feed', async () => {
    await inFolder(async (tokenFile) => {
      await using server = await serve(platform());
      const { client } = clientFor(server.baseUrl, { auth: { tokenFile } });
      await writeFile(tokenFile, 'first\n');
      await client.projects.list();
      await writeFile(tokenFile, 'second\n');
      await client.projects.list();
      expect(server.received.map(bearer)).toEqual(['Bearer first', 'Bearer second']);
    });
  });

  test('that was rotated before its token was refused gives the call another attempt', async () => {
    await inFolder(async (tokenFile) => {
      await writeFile(tokenFile, 'first');
      await using server = await serve(async (response, request) => {
        await writeFile(tokenFile, 'second');
        reply(response, bearer(request) === 'Bearer second' ? 200 : 401, good.safe);
      });
      const { client } = clientFor(server.baseUrl, { auth: { tokenFile } });
      await client.projects.list();
      expect(server.received.length).toBe(2);
    });
  });

  test('that does not exist fails as no-token', async () => {
    await inFolder(async (tokenFile) => {
      const { client } = clientFor('http://127.0.0.1:9', { auth: { tokenFile } });
      await expect(client.projects.list()).rejects.toMatchObject({ code: 'no-token' });
    });
  });
});

test('a fixed token that is refused is not sent twice', async () => {
  await using server = await serve((response) => reply(response, 401, { error: 'expired', status: 401 }));
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(client.projects.list())).toMatchObject({
    code: 'unauthorized',
    attempts: 1,
    isUserFault: true,
  });
});

test.each([
  ['an empty token', { token: ' ' }, 'no-token'],
  ['a token with a line feed inside', { token: 'ab\ncd' }, 'value-unsendable'],
])('%s is rejected by createClient without being quoted', (_, auth, code) => {
  const make = (): unknown => createClient({ baseUrl: 'http://127.0.0.1:9', auth });
  expect(make).toThrow(Failure);
  expect(make).toThrow(expect.objectContaining({ code }));
  expect(make).not.toThrow(/ab|cd\b/);
});

test.each([
  ['no auth', undefined, 'The option auth contains no credential.'],
  ['a misspelt kind', { tokn: 'secret' }, 'The option auth contains no credential.'],
  ['a token from a variable that is not set', { token: undefined }, 'auth.token is not set.'],
])('%s is rejected by createClient with a hint that lists the kinds', (_, auth, message) => {
  const options = { baseUrl: 'http://127.0.0.1:9', auth };
  const make = (): unknown => createClient(options as unknown as ClientOptions);
  const hint: unknown = expect.stringContaining('{ tokenFile }');
  expect(make).toThrow(expect.objectContaining({ name: 'Failure', code: 'no-token', message, hint }));
});

test('a baseUrl from a variable that is not set is rejected by createClient with a hint', () => {
  const options = { auth: { token: 'secret' } };
  const hint: unknown = expect.stringContaining('check that the variable is set');
  expect(() => createClient(options as unknown as ClientOptions)).toThrow(
    expect.objectContaining({ code: 'no-base-url', hint }),
  );
});
