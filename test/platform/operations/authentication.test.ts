import { expect, test } from 'vitest';
import { field, type Talk, talk } from '../talk.ts';

const seed = {
  credentials: [
    { name: 'boss', role: 'superAdmin' as const, clientId: 'boss', clientSecret: 's3cret:with:colons' },
    { name: 'late', role: 'member' as const, token: 'token-late', state: 'expired' as const },
    { name: 'gone', role: 'member' as const, token: 'token-gone', state: 'revoked' as const },
  ],
};

const token = (platform: Talk, form: Record<string, string>, headers = {}) =>
  platform.post('/oauth/token', new URLSearchParams(form), { token: '', headers });

test('every call needs a bearer token, whose scheme may be written in any case (§5 rule 1, §4.2)', async () => {
  await using platform = await talk();
  const known = platform.platform.tokens.member;
  const status = async (authorization?: string) =>
    (
      await platform.get('/v1/projects', {
        token: '',
        headers: authorization === undefined ? {} : { authorization },
      })
    ).status;
  expect(await status(`Bearer ${known}`)).toBe(200);
  expect(await status(`bearer ${known}`)).toBe(200);
  expect(await status()).toBe(401);
  expect(await status(known)).toBe(401);
  expect(await status('Bearer')).toBe(401);
  expect(await status(`Basic ${known}`)).toBe(401);
  expect(await status('Bearer wrong')).toBe(401);
});

test('a wrong, expired or revoked token is answered 401 with the reason (§5)', async () => {
  await using platform = await talk({ seed });
  const say = async (bearer: string) => (await platform.get('/v1/projects', { token: bearer })).body;
  expect(await say('wrong')).toEqual({ error: 'The access token is unknown.', status: 401 });
  expect(await say('token-late')).toEqual({ error: 'The access token has expired.', status: 401 });
  expect(await say('token-gone')).toEqual({ error: 'The access token was revoked.', status: 401 });
  const { headers } = await platform.get('/v1/projects', { token: 'wrong' });
  expect(headers.get('www-authenticate')).toBe('Bearer');
});

test('401 comes before everything else: an unknown project and a wrong body stay unsaid (§5)', async () => {
  await using platform = await talk();
  expect((await platform.post('/v1/projects/none/environments', 'not json', { token: 'wrong' })).status).toBe(
    401,
  );
});

test('client credentials give a token of 30 minutes, by the clock (unknowns §1)', async () => {
  await using platform = await talk({ seed });
  const issued = await token(platform, {
    grant_type: 'client_credentials',
    client_id: 'boss',
    client_secret: 's3cret:with:colons',
    audience: 'anything',
  });
  expect(issued).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 1800 } });
  expect(issued.headers.get('cache-control')).toBe('no-store');
  const bearer = field(issued, 'access_token');
  await platform.clock.advance(30 * 60_000 - 1);
  expect((await platform.get('/v1/projects', { token: bearer })).status).toBe(200);
  await platform.clock.advance(1);
  expect(await platform.get('/v1/projects', { token: bearer })).toMatchObject({
    status: 401,
    body: { error: 'The access token has expired.' },
  });
});

test('client id and secret may also travel as basic authentication (unknowns §1)', async () => {
  await using platform = await talk({ seed });
  const basic = `Basic ${Buffer.from('boss:s3cret:with:colons').toString('base64')}`;
  const issued = await token(platform, { grant_type: 'client_credentials' }, { authorization: basic });
  expect(issued.status).toBe(200);
});

test('a wrong secret, grant or form gives no token (unknowns §1)', async () => {
  await using platform = await talk({ seed });
  const grant = { grant_type: 'client_credentials', client_id: 'boss', client_secret: 's3cret:with:colons' };
  expect(await token(platform, { ...grant, client_secret: 'wrong' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  expect((await token(platform, { grant_type: 'client_credentials' })).status).toBe(401);
  expect(await token(platform, { ...grant, grant_type: 'password' })).toMatchObject({
    status: 400,
    body: { error: 'unsupported_grant_type' },
  });
  expect(await platform.post('/oauth/token', grant, { token: '' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

test('creating a project, connection, environment or link needs the Admin role (§5 rule 2)', async () => {
  await using platform = await talk();
  const { member } = platform.platform.tokens;
  for (const path of [
    '/v1/projects',
    ...['data-platform-connections', 'environments', 'repositories'].map(
      (name) => `${platform.project}/${name}`,
    ),
  ]) {
    const answer = await platform.post(path, {}, { token: member });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

test('environment() has the variables that a client needs', async () => {
  await using platform = await talk();
  const { environment, baseUrl, tokens, projectId, clientCredentials } = platform.platform;
  expect(environment()).toEqual({
    MILLRACE_BASE_URL: baseUrl,
    MILLRACE_TOKEN: tokens.superAdmin,
    MILLRACE_PROJECT_ID: projectId,
    MILLRACE_AGENT_VERSION: '9.0.0',
  });
  expect(clientCredentials?.tokenUrl).toBe(`${baseUrl}/oauth/token`);
  const issued = await token(platform, {
    grant_type: 'client_credentials',
    client_id: clientCredentials?.clientId ?? '',
    client_secret: clientCredentials?.clientSecret ?? '',
  });
  expect(issued.status).toBe(200);
});
