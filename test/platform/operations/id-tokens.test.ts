import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdTokenIssuer, startIdTokenIssuer } from '../../environment/id-token-issuer.ts';
import { field, type Talk, talk } from '../talk.ts';

let ci: IdTokenIssuer;
let platform: Talk;
beforeAll(async () => {
  ci = await startIdTokenIssuer();
  platform = await talk({
    seed: {
      projects: [{ name: 'warehouse' }],
      issuers: [{ issuer: ci.issuer, keys: ci.keys }],
      credentials: [
        { name: 'boss', role: 'superAdmin' },
        { name: 'ci', role: 'member', clientId: 'ci', identity: { issuer: ci.issuer, subject: ci.subject } },
        {
          name: 'tags',
          role: 'admin',
          identity: { issuer: ci.issuer, subject: 'repo:demo/warehouse:ref:refs/tags/*' },
        },
      ],
    },
  });
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  await ci[Symbol.asyncDispose]();
});

const tokenUrl = () => `${platform.platform.baseUrl}/oauth/token`;
const send = (form: Record<string, string>) =>
  platform.post('/oauth/token', new URLSearchParams(form), { token: '' });
const exchange = (subject_token: string, more: Record<string, string> = {}) =>
  send({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    ...more,
  });
const assert = (client_assertion: string, more: Record<string, string> = {}) =>
  send({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    ...more,
  });

test('an ID token is exchanged for a token of its credential (RFC 8693)', async () => {
  const issued = await exchange(await ci.sign({ aud: tokenUrl() }));
  expect(issued).toMatchObject({
    status: 200,
    body: { token_type: 'Bearer', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
  });
  expect((await platform.get('/v1/projects', { token: field(issued, 'access_token') })).status).toBe(200);
});

test('an ID token is accepted as the assertion of a client (RFC 7523 §2.2), with or without its id', async () => {
  const token = await ci.sign({ aud: tokenUrl() });
  expect((await assert(token)).status).toBe(200);
  expect((await assert(token, { client_id: 'ci' })).status).toBe(200);
  expect(await assert(token, { client_id: 'other' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
});

test('a subject with a * at its end allows any rest, and nothing else', async () => {
  const subject = (sub: string) => ci.sign({ aud: tokenUrl(), sub });
  expect((await exchange(await subject('repo:demo/warehouse:ref:refs/tags/v1'))).status).toBe(200);
  expect(await exchange(await subject('repo:demo/other:ref:refs/heads/main'))).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_request',
      error_description: 'No credential belongs to the subject of the ID token.',
    },
  });
});

/** A JWT with any header, signed by `signed`. */
function jwt(header: object, claims: object, signed: (content: string) => Buffer): string {
  const content = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${signed(content).toString('base64url')}`;
}

test.each<[string, (claims: Record<string, unknown>) => Promise<string> | string, RegExp]>([
  [
    'without a signature',
    (claims) => jwt({ alg: 'none' }, claims, () => Buffer.alloc(0)),
    /algorithm|signed JWT/,
  ],
  [
    'signed with the public key as a shared secret',
    (claims) =>
      jwt({ alg: 'HS256', kid: 'one' }, claims, (content) =>
        createHmac('sha256', JSON.stringify(ci.keys[0])).update(content).digest(),
      ),
    /algorithm/,
  ],
  [
    'signed with another key',
    (claims) =>
      jwt({ alg: 'RS256', kid: 'one' }, claims, (content) =>
        signBytes(
          'sha256',
          Buffer.from(content),
          generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
        ),
      ),
    /signature/,
  ],
  [
    'of an issuer that is not trusted',
    () => ci.sign({ aud: tokenUrl(), iss: 'https://evil.example.com' }),
    /issuer/,
  ],
  ['for another audience', () => ci.sign({ aud: 'https://other.example.com' }), /"aud"/],
  ['that has expired', () => ci.sign({ aud: tokenUrl(), exp: 1_000_000 }), /expired/],
  ['that is not a JWT', () => 'not-a-jwt', /signed JWT/],
])('an ID token %s gives no token', async (_, make, reason) => {
  const now = Math.floor(Date.now() / 1000);
  const token = await make({ iss: ci.issuer, sub: ci.subject, aud: tokenUrl(), exp: now + 300 });
  const answer = await exchange(token);
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  expect(field(answer, 'error_description')).toMatch(reason);
  expect(await assert(token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

test('a token exchange of another type of token is refused', async () => {
  const token = await ci.sign({ aud: tokenUrl() });
  const saml = { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' };
  const refresh = { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' };
  for (const more of [saml, refresh])
    expect(await exchange(token, more)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('the keys of an issuer may come from an address, and the inspector shows no ID token', async () => {
  const { createServer } = await import('node:http');
  const jwks = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: ci.keys }));
  });
  await new Promise<void>((resolve) => {
    jwks.listen(0, '127.0.0.1', resolve);
  });
  const { port } = jwks.address() as { port: number };
  await using other = await talk({
    seed: {
      issuers: [
        { issuer: ci.issuer, audience: 'millrace', jwksUri: `http://127.0.0.1:${String(port)}/keys` },
      ],
      credentials: [{ name: 'ci', role: 'member', identity: { issuer: ci.issuer, subject: ci.subject } }],
    },
  });
  const token = await ci.sign({ aud: 'millrace' });
  const form = {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: token,
  };
  expect((await other.post('/oauth/token', new URLSearchParams(form), { token: '' })).status).toBe(200);
  const requests = await fetch(`${other.platform.baseUrl}/_platform/requests`);
  expect(await requests.text()).not.toContain(token.split('.')[2]);
  jwks.closeAllConnections();
  jwks.close();
});
