import { expect, test } from 'vitest';
import type { WorkerSettings } from '../../../../worker/settings/settings.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { sessionKey } from '../../../../worker/web/sign-in/github-sessions.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  clientSecret,
  createSignInEnvironment,
  operators,
} from '../../../environment/worker/sign-in-environment.ts';

const redis = testRedis();
const createTestEnvironment = async (settings?: Partial<WorkerSettings>, publicUrl?: string) =>
  createSignInEnvironment(redis, settings, publicUrl);

test('a person signs in with GitHub under their login, by login or by team, and acts via github', async () => {
  const env = await createTestEnvironment();
  env.join('Linus-T'.toLowerCase());
  const page = await env.visit('/lanes/x');
  expect(page.status).toBe(401);
  expect(page.text).toContain('Sign in with GitHub');
  const begun = await env.begin('/promotions');
  const asked = new URL(begun.leadsTo ?? '');
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: `${env.url}/session/github/callback`,
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    allow_signup: 'false',
  });
  expect(begun.set[0]?.split('; ').slice(1).toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=600',
    'Path=/',
    'SameSite=Lax',
  ]);
  const back = await env.visit(await env.authorize(begun, 'Hopper'), begun.cookies);
  expect([back.status, back.leadsTo]).toEqual([200, '/promotions']);
  expect(back.set.join()).toMatch(/millrace_sign_in=; Max-Age=0;.*HttpOnly; SameSite=Strict/);
  expect(await env.me(back.cookies)).toMatchObject({ body: { name: 'Hopper', role: 'admin' } });
  expect((await env.pause(back.cookies)).status).toBe(200);
  const audit = await env.visit('/api/audit', back.cookies);
  expect(JSON.parse(audit.text)).toMatchObject({ entries: [{ by: 'Hopper', via: 'github', act: 'pause' }] });
  const member = await env.signIn('linus-t');
  expect(await env.me(member.cookies)).toMatchObject({ body: { name: 'linus-t', repositories: [77] } });

  const { authorization } = env.github.requests.findLast(({ path }) => path === '/user')?.headers ?? {};
  const token = authorization?.replace('token ', '') ?? '';
  expect(token).toMatch(/^gho_/);
  const connection = redis.connect();
  const stored: unknown[] = [];
  for (const key of await connection.keys(`${env.prefix}:s*`))
    stored.push(key, await connection.dump(key).then(String));
  const session = String(member.cookies['millrace_session']);
  for (const secret of [token, clientSecret, session])
    expect(JSON.stringify([stored, env.lines, member.set.slice(0, 1)])).not.toContain(secret);
});

test('a person without a role, a name without `github` and a reserved name get a page and no session', async () => {
  const env = await createTestEnvironment();
  env.join('pending', 'pending');
  for (const reserved of ['millrace', 'worker-token']) env.join(reserved);
  for (const who of ['stranger', 'ada', 'pending', 'millrace', 'worker-token']) {
    const { status, text, cookies } = await env.signIn(who);
    expect([status, cookies['millrace_session']], who).toEqual([403, undefined]);
    expect(text).toContain(`${who} has no role here`);
  }
});

test('behind TLS, both cookies are Secure, and only this host can have set the one of the sign-in', async () => {
  const env = await createTestEnvironment({}, 'https://worker.example.com');
  const begun = await env.begin();
  expect(begun.set.join()).toMatch(/^__Host-millrace_sign_in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const { pathname, search } = new URL(await env.authorize(begun, 'hopper'));
  const back = await env.visit(`${pathname}${search}`, begun.cookies);
  expect(back.set.join()).toMatch(/millrace_session=[\w-]{43}; .*Secure/);
});

test('a code and a state count once, in the browser and for the sign-in that they belong to', async () => {
  const env = await createTestEnvironment();
  const [victim, attacker] = [await env.begin(), await env.begin()];
  const answer = await env.authorize(attacker, 'hopper');
  const own = await env.authorize(victim, 'hopper');
  const mixed = new URL(own);
  mixed.searchParams.set('code', new URL(answer).searchParams.get('code') ?? '');
  const exchanges = () => env.github.requests.filter(({ path }) => path.endsWith('/access_token'));
  // The attacker's answer in the victim's browser; no cookie; a forged cookie; a parameter that is given twice.
  for (const [address, cookies] of [
    [answer, victim.cookies],
    [answer, {}],
    [answer, { millrace_sign_in: 'x.9999999999999.Lw.x' }],
    [`${own}&state=x`, victim.cookies],
  ] as const) {
    const refused = await env.visit(address, cookies);
    expect([refused.status, refused.cookies['millrace_session']]).toEqual([400, undefined]);
  }
  expect(exchanges()).toEqual([]);
  // The attacker's code with the victim's state: PKCE refuses it.
  expect((await env.visit(mixed.href, victim.cookies)).status).toBe(400);
  // A session that the victim's browser was given before is not the one that is signed in.
  const planted = { ...victim.cookies, millrace_session: 'p'.repeat(43) };
  const signedIn = await env.visit(own, planted);
  expect(signedIn.cookies['millrace_session']).toMatch(/^[\w-]{43}$/);
  expect((await env.me(planted)).status).toBe(401);
  // Again: the same code, and a new code for the same state.
  expect((await env.visit(own, victim.cookies)).status).toBe(400);
  expect((await env.visit(await env.authorize(victim, 'hopper'), victim.cookies)).status).toBe(400);
  const late = await env.begin();
  const [id, , next, signature] = decodeURIComponent(late.cookies['millrace_sign_in'] ?? '').split('.');
  const prolonged = [id, Date.now() + 9_000_000, next, signature].join('.');
  const lateAnswer = await env.authorize(late, 'hopper');
  env.pass(601_000);
  for (const cookie of [late.cookies['millrace_sign_in'] ?? '', encodeURIComponent(prolonged)])
    expect((await env.visit(lateAnswer, { millrace_sign_in: cookie })).status).toBe(400);
});

test('a session written to Redis by hand is invalid, and a role is the current one of worker.yaml', async () => {
  const env = await createTestEnvironment();
  const { cookies } = await env.signIn('hopper');
  const id = String(cookies['millrace_session']);
  const connection = redis.connect();
  const key = sessionKey(keysUnder(env.prefix), id);
  const stored = (await connection.get(key)) ?? expect.unreachable();
  const [kind, , mac] = stored.split(':');
  const forged = { person: { id: 1, login: 'hopper' }, checkedAt: Date.now() };
  const text = Buffer.from(JSON.stringify(forged)).toString('base64url');
  await connection.set(key, [kind, text, mac].join(':'));
  expect((await env.me(cookies)).status).toBe(401);
  // Another session's text, under an id that the attacker knows.
  const known = 'k'.repeat(43);
  await connection.set(sessionKey(keysUnder(env.prefix), known), stored);
  expect((await env.me({ millrace_session: known })).status).toBe(401);
  await connection.set(key, stored);
  expect((await env.me(cookies)).status).toBe(200);
  env.setOperators(operators.replace('github: hopper, role: admin', 'github: hopper, role: viewer'));
  expect(await env.me(cookies)).toMatchObject({ body: { role: 'viewer' } });
  env.setOperators(operators.replace('github: hopper', 'github: another'));
  expect((await env.me(cookies)).status).toBe(401);
});

test('a sign-in begins only at our own page, and leads only to our own pages', async () => {
  const env = await createTestEnvironment();
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, {}])
    expect((await env.begin('/', headers as Record<string, string>)).status).toBe(403);
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example'])
    expect((await env.signIn('hopper', next)).leadsTo, next).toBe('/');
});

test('a GitHub that never answers is given up, and opens no session', async () => {
  const env = await createTestEnvironment({ githubWithinMs: 300 });
  env.github.interfere(({ path }) => (path.endsWith('/access_token') ? 'hang' : undefined));
  const { status, text, cookies } = await env.signIn('hopper');
  expect([status, cookies['millrace_session']]).toEqual([503, undefined]);
  expect(text).toContain('did not confirm who you are');
});

test('a refusal by the person, and a GitHub that is broken, are explained and open no session', async () => {
  const env = await createTestEnvironment();
  const denied = await env.signIn('hopper; cancel');
  expect([denied.status, denied.cookies['millrace_session']]).toEqual([403, undefined]);
  expect(denied.text).toContain('did not authorize');
  const long = { status: 200, body: { access_token: 'token-of-linus', more: 'x'.repeat(100_000) } };
  const faults = [
    ['/login/oauth/access_token', { status: 200, body: 'a page' }],
    ['/login/oauth/access_token', long],
    ['/login/oauth/access_token', { status: 200, body: { error: 'incorrect_client_credentials' } }],
    ['/user', { status: 502, body: {} }],
    ['/orgs/example/teams/platform/memberships/linus-t', { status: 502, body: {} }],
  ] as const;
  env.join('linus-t');
  for (const [path, fault] of faults) {
    env.github.interfere((request) => (request.path === path ? fault : undefined));
    const failed = await env.signIn('linus-t');
    expect([failed.status, failed.cookies['millrace_session']], path).toEqual([503, undefined]);
    expect(failed.text).toMatch(/did not confirm who you are|does not say now which teams/);
  }
  env.github.interfere(undefined);
  expect((await env.signIn('linus-t')).status).toBe(200);
  expect(JSON.stringify(env.lines)).toMatch(/incorrect_client_credentials.*Check the client id/);
  expect(JSON.stringify(env.lines)).not.toContain(clientSecret);
});

test('a member who left the team loses access after five minutes, and no one gets in while GitHub does not answer', async () => {
  const env = await createTestEnvironment();
  env.join('linus-t');
  const { cookies } = await env.signIn('linus-t');
  const named = (await env.signIn('hopper')).cookies;
  env.github.interfere(({ path }) =>
    path.includes('/memberships/') ? { status: 502, body: {} } : undefined,
  );
  env.pass(200_000);
  expect((await env.me(cookies)).status).toBe(200);
  env.pass(101_000);
  expect(await env.me(cookies)).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('GitHub does not say now which teams you are in') },
  });
  expect((await env.visit('/', cookies)).text).toContain('GitHub does not say now');
  expect((await env.me(named)).status).toBe(200);
  env.github.interfere(undefined);
  env.pass(11_000);
  expect((await env.me(cookies)).status).toBe(200);
  env.leave('linus-t');
  expect((await env.me(cookies)).status).toBe(200);
  env.pass(301_000);
  expect((await env.me(cookies)).status).toBe(401);
  env.join('linus-t');
  expect((await env.me(cookies)).status).toBe(401);
});
