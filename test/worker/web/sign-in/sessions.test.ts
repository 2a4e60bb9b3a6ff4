import { createHash, randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createDirectory } from '../../../../worker/operators/directory.ts';
import { createSessions, isCsrf } from '../../../../worker/web/sign-in/sessions.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  createWorkerEnvironment,
  workerFile,
  workerToken,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();
const hash = (token: string): string => `sha256:${createHash('sha256').update(token).digest('hex')}`;
const ada = (role: 'viewer' | 'approver', token = 'ada-token') => ({
  name: 'ada',
  role,
  repositories: 'all' as const,
  tokenHashes: [hash(token)],
});

test('a session has the operator’s current rights and ends with the token', async () => {
  const keys = keysUnder(`{o-${randomUUID()}}`);
  const connection = redis.connect();
  const sessions = createSessions(connection, keys, createDirectory([ada('viewer')], undefined));
  expect(await sessions.open('wrong')).toBeUndefined();
  const id = (await sessions.open('ada-token')) ?? expect.unreachable();
  const session = (await sessions.find(id)) ?? expect.unreachable();
  expect(session.operator).toMatchObject({ name: 'ada', role: 'viewer' });
  expect(isCsrf(session, session.csrf)).toBe(true);
  expect(isCsrf(session, '')).toBe(false);

  const raised = createSessions(connection, keys, createDirectory([ada('approver')], undefined));
  expect(await raised.find(id)).toMatchObject({ operator: { role: 'approver' } });
  const rotated = createSessions(connection, keys, createDirectory([ada('approver', 'another')], undefined));
  expect(await rotated.find(id)).toBeUndefined();
  expect(await sessions.find('x'.repeat(43))).toBeUndefined();
  await sessions.close(id);
  expect(await sessions.find(id)).toBeUndefined();
});

test('Redis holds nothing that one could sign in with, and forgets sessions by itself', async () => {
  const keys = keysUnder(`{o-${randomUUID()}}`);
  const connection = redis.connect();
  const sessions = createSessions(connection, keys, createDirectory([ada('viewer')], undefined));
  const id = (await sessions.open('ada-token')) ?? expect.unreachable();
  const [key = ''] = await connection.keys(`${keys.prefix}*`);
  const kept = `${key} ${(await connection.get(key)) ?? ''}`;
  for (const secret of [id, 'ada-token', hash('ada-token').slice(7)]) expect(kept).not.toContain(secret);
  expect(await connection.ttl(key)).toBeGreaterThan(11 * 3_600);
});

test('a browser signs in with a token, uses the API by its cookie, from our own pages only, and signs out', async () => {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const base = env.options(redis);
  const file = `${workerFile()}operators:
  - { name: ada, role: viewer, repositories: all, token-hash: "${hash('ada-token')}" }
`;
  const worker = await startWorker({ ...base, config: readWorkerConfig(file, 'worker.yaml') });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const post = (path: string, headers: Record<string, string>, body = '') =>
    fetch(`${worker.url}${path}`, { method: 'POST', redirect: 'manual', headers, body });
  const ours = { origin: worker.url, 'content-type': 'application/x-www-form-urlencoded' };

  expect((await post('/session', ours, 'token=wrong')).status).toBe(401);
  expect(
    (await post('/session', { ...ours, origin: 'https://evil.example' }, 'token=ada-token')).status,
  ).toBe(403);
  const signedIn = await post('/session', ours, 'token=ada-token');
  expect(signedIn.status).toBe(303);
  const set = signedIn.headers.get('set-cookie') ?? '';
  const [first = '', ...attributes] = set.split('; ');
  expect(first).toMatch(/^millrace_session=[\w-]{43}$/);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict']);
  const behindTls = await post('/session', { ...ours, 'x-forwarded-proto': 'https' }, 'token=ada-token');
  expect(behindTls.headers.get('set-cookie')).toMatch(/; Secure(?:;|$)/);

  const cookie = set.split(';')[0] ?? '';
  const me = (headers: Record<string, string>) => fetch(`${worker.url}/api/me`, { headers });
  expect(await (await me({ cookie })).json()).toMatchObject({ name: 'ada', role: 'viewer' });
  // A token that is wrong is not made good by a cookie.
  expect((await me({ cookie, authorization: 'Bearer wrong' })).status).toBe(401);
  const lane = '/api/lanes/77%2Fx%2Fy/hold';
  expect((await post(lane, { cookie, origin: worker.url })).status).toBe(403);
  expect((await post(lane, { cookie, origin: 'https://evil.example' })).status).toBe(401);
  expect((await post(lane, { cookie, 'sec-fetch-site': 'cross-site', origin: worker.url })).status).toBe(401);
  expect((await post(lane, { cookie })).status).toBe(401);
  // The worker's own token is an admin's: the lane is not there, but it may ask.
  expect((await post(lane, { authorization: `Bearer ${workerToken}` })).status).toBe(404);

  expect((await post('/session/end', { ...ours, cookie })).status).toBe(303);
  expect((await me({ cookie })).status).toBe(401);
});
