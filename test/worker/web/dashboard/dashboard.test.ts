import { expect, onTestFinished, test } from 'vitest';
import { ownPlace } from '../../../../worker/web/dashboard/parts/own-place.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createWorkerEnvironment } from '../../../environment/worker/worker-environment.ts';
import { manyLanes } from './many-lanes.ts';
import { tokens, withOperators } from './operators.ts';

const redis = testRedis();

/** A worker with lanes in every state that its reconciler leaves alone. */
async function createTestEnvironment(lanes: number) {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const options = env.options(redis);
  const settings = { ...options.settings, reconcileMs: 3_600_000 };
  const worker = await startWorker({ ...options, settings, config: withOperators() });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const ids = await manyLanes(redis, env.prefix, lanes);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${worker.url}${path}`, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${worker.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', origin: worker.url, ...headers },
    });
  async function signIn(token: string): Promise<{ cookie: string }> {
    const { headers } = await post('/session', { token });
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
  }
  return { worker, ids, get, post, signIn };
}

const places = [
  '/',
  '/?view=table',
  '/?show=needs-you',
  '/promotions',
  '/deliveries',
  '/dead-letters',
  '/audit',
];
const promotions = [
  '/promotions/promotion-0-v1.1.0',
  '/promotions/promotion-1-v1.2.0',
  '/promotions/promotion-2-v1.3.0',
  '/promotions/promotion-1-v1.2.0/approve',
];
const lanePlace = (id: string): string => `/lanes/${encodeURIComponent(id)}`;
const csrfIn = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('without a session only the sign-in page is shown, also after an invalid token', async () => {
  const { get, post, ids } = await createTestEnvironment(2);
  for (const place of [...places, lanePlace(ids[0] ?? ''), ...promotions]) {
    const answer = await get(place);
    const text = await answer.text();
    expect(answer.status, place).toBe(401);
    expect(text).toContain('name="token"');
    expect(text).not.toMatch(/octocat|v1\.\d+\.0 is|from dev/);
  }
  const wrong = await post('/session', { token: 'nobody’s' });
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('Invalid token')]);
  const foreign = await post('/session', { token: tokens.ada }, { origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
});

test('a browser is answered with a page whatever is refused, and a program with JSON', async () => {
  const { worker, post } = await createTestEnvironment(0);
  const tooLong = { token: 'x'.repeat(20_000) };
  const cases = [
    [() => post('/session', tooLong), 413, 'The form is too long'],
    [() => post('/session/end', {}, { origin: 'https://evil.example' }), 403, 'from another site'],
    [() => post('/promotions', {}), 404, 'does not exist'],
  ] as const;
  for (const [send, status, words] of cases) {
    const answer = await send();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain(words);
  }
  const headers = { origin: worker.url };
  const asProgram = { method: 'POST', headers, body: new URLSearchParams(tooLong) };
  expect(await (await fetch(`${worker.url}/session`, asProgram)).json()).toMatchObject({ status: 413 });
  const api = await fetch(`${worker.url}/api/promotions`, { headers: { accept: 'text/html' } });
  expect([api.status, await api.json()]).toMatchObject([401, { status: 401 }]);
});

test('after sign-in the browser is on the requested page, but never on another site', async () => {
  const { post } = await createTestEnvironment(0);
  const there = await post('/session', { token: tokens.ada, next: '/promotions/abc?show=x' });
  expect(there.headers.get('location')).toBe('/promotions/abc?show=x');
  const refused = await post('/session', { token: 'a wrong one', next: '/promotions/abc?show=x' });
  expect(await refused.text()).toContain('name="next" value="/promotions/abc?show=x"');
  for (const place of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/a//b\r\nx: y',
    '',
    '/%0d%0a"',
  ])
    expect(ownPlace(place), place).toBe('/');
  expect(ownPlace('/lanes/77%2Fa%2Fb')).toBe('/lanes/77%2Fa%2Fb');
});

test.each([0, 50])(
  'with %i lanes no page runs or styles anything inline, frames are refused, and foreign text stays text',
  async (count) => {
    const { get, signIn, ids } = await createTestEnvironment(count);
    const headers = await signIn(tokens.root);
    const some = count === 0 ? [] : [...promotions, ...ids.slice(0, 10).map(lanePlace)];
    for (const place of [...places, ...some]) {
      const answer = await get(place, headers);
      const text = await answer.text();
      expect(answer.status, place).toBe(200);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*script-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      // Any other would have browsers without Sec-Fetch-Site send our forms with `Origin: null`.
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
      expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/live.js">']);
      expect(text).not.toMatch(/<style|<img|javascript:|\u202e/);
      // Foreign text in a quoted value is harmless: its own quotes are escaped.
      expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]* (style|on[a-z]+)=/);
    }
    const overview = await (await get('/?view=table', headers)).text();
    if (count === 0) expect(overview).toMatch(/No promotions yet[^]*GitHub must send/);
    else {
      expect(overview.match(/<tr id="/g)).toHaveLength(50);
      const board = await (await get('/', headers)).text();
      expect(board.match(/<div class="edge /g)).toHaveLength(50);
      expect(overview).toContain('&#60;script&#62;document.title=&#39;gotcha&#39;&#60;/script&#62;');
    }
  },
);

test('a viewer is offered and allowed only refresh, and sees nothing of other repositories', async () => {
  const { get, post, signIn, ids } = await createTestEnvironment(10);
  const vera = await signIn(tokens.vera);
  const lane = lanePlace(ids[2] ?? '');
  for (const place of [...places, ...promotions.slice(0, 3), lane])
    expect(await (await get(place, vera)).text(), place).not.toMatch(/class="act (?!"|refresh")/);
  const csrf = csrfIn(await (await get('/', vera)).text());
  for (const place of [
    `${lane}/hold`,
    '/promotions/promotion-1-v1.2.0/approve',
    '/promotions/promotion-2-v1.3.0/cancel',
  ]) {
    expect((await get(place, vera)).status, place).toBe(403);
    expect((await post(place, { csrf, reason: 'x' }, vera)).status, place).toBe(403);
  }
  const sam = await signIn(tokens.sam);
  for (const place of [...promotions, lane, `${lane}/hold`, '/deliveries', '/dead-letters'])
    expect((await get(place, sam)).status, place).toBe(404);
  const all = await Promise.all(
    ['/', '/promotions', '/audit'].map(async (place) => (await get(place, sam)).text()),
  );
  expect(all.join('')).not.toMatch(/example\/warehouse|promotion-\d/);
  expect((await post(`${lane}/hold`, { csrf, reason: 'x' }, sam)).status).toBe(404);
  expect(await (await get('/audit', await signIn(tokens.root))).text()).not.toMatch(/vera|sam/);
});

test('an action needs a request from our own page, its form and a required reason; then it is done and audited', async () => {
  const { get, post, signIn, ids } = await createTestEnvironment(10);
  const ada = await signIn(tokens.ada);
  const place = `${lanePlace(ids[8] ?? '')}/hold`;
  const asked = await (await get(place, ada)).text();
  const csrf = csrfIn(asked);
  expect(asked).toMatch(/<form method="post" class="ask">/);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    expect((await post(place, { csrf, reason: 'x' }, { ...ada, ...headers })).status).toBe(403);
  expect((await post(place, { reason: 'x' }, ada)).status).toBe(403);
  const other = csrfIn(await (await get(place, await signIn(tokens.ada))).text());
  expect((await post(place, { csrf: other, reason: 'x' }, ada)).status).toBe(403);
  expect((await post(place, { csrf, reason: 'x'.repeat(20_000) }, ada)).status).toBe(413);
  const without = await post(place, { csrf, reason: ' ' }, ada);
  expect([without.status, await without.text()]).toEqual([400, expect.stringContaining('a hold needs a')]);
  expect(await (await get('/audit', ada)).text()).toContain('No actions yet');

  const done = await post(place, { csrf, reason: 'stock-taking' }, ada);
  expect(done.status).toBe(303);
  const shown = await (await get(done.headers.get('location') ?? '', ada)).text();
  expect(shown).toContain('stock-taking');
  expect(shown).toContain('The lane is on hold.');
  expect(await (await get('/audit', ada)).text()).toMatch(/ada[\s\S]*hold[\s\S]*stock-taking/);
});

test('resuming lifts the holds that the page showed, each with its reason; a newer hold stays', async () => {
  const { get, post, signIn, ids } = await createTestEnvironment(10);
  const [ada, root] = [await signIn(tokens.ada), await signIn(tokens.root)];
  const lane = lanePlace(ids[8] ?? '');
  const hold = async (who: { cookie: string }, reason: string) =>
    post(`${lane}/hold`, { csrf: csrfIn(await (await get(`${lane}/hold`, who)).text()), reason }, who);
  await hold(ada, 'stock-taking');
  await hold(root, 'month end');
  const asked = await (await get(`${lane}/resume`, ada)).text();
  expect(asked).toMatch(/stock-taking \(ada via dashboard\)[\s\S]*month end \(root via dashboard\)/);
  await hold(root, 'an audit');
  const holds = /name="holds" value="([^"]+)"/.exec(asked)?.[1] ?? '';
  const fields = { csrf: csrfIn(asked), holds };
  expect((await post(`${lane}/resume`, fields, ada)).status).toBe(303);
  const shown = await (await get('/', ada)).text();
  expect(shown).toContain('an audit');
  expect(shown).not.toMatch(/stock-taking|month end/);
  const again = await post(`${lane}/resume`, fields, ada);
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining('its holds have changed since you looked'),
  ]);
});

test('an approval counts for what the page showed, and a changed promotion is refused with the reason', async () => {
  const { get, post, signIn } = await createTestEnvironment(10);
  const ada = await signIn(tokens.ada);
  const place = '/promotions/promotion-1-v1.2.0/approve';
  const csrf = csrfIn(await (await get(place, ada)).text());
  const stale = await post(place, { csrf, commit: 'f'.repeat(40), version: 'v1.2.0' }, ada);
  expect([stale.status, await stale.text()]).toEqual([
    409,
    expect.stringContaining('another commit or version than the one that was shown'),
  ]);
  expect(await (await get('/promotions/promotion-1-v1.2.0', ada)).text()).toContain('class="act approve"');
  const root = await signIn(tokens.root);
  // An admin is not an approver by that.
  expect(await (await get('/promotions/promotion-1-v1.2.0', root)).text()).not.toContain(
    'class="act approve"',
  );
});

test('a page that has not changed is answered 304, and what is not a page is not there', async () => {
  const { get, post, signIn } = await createTestEnvironment(10);
  const ada = await signIn(tokens.ada);
  const first = await get('/', ada);
  const again = await get('/', { ...ada, 'if-none-match': first.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  for (const place of [
    '/nothing',
    '/promotions/none',
    '/lanes/%',
    '/promotions/a/b/c',
    '/promotions/promotion-2-v1.3.0/delete',
    '/__proto__',
  ])
    expect((await get(place, ada)).status, place).toBe(404);
  expect((await post('/promotions', {}, ada)).status).toBe(404);
  for (const [place, type] of [
    ['/assets/dashboard.css', 'text/css; charset=utf-8'],
    ['/assets/live.js', 'text/javascript; charset=utf-8'],
    ['/assets/millrace.svg', 'image/svg+xml'],
  ] as const)
    expect((await get(place)).headers.get('content-type')).toBe(type);
  expect((await get('/assets/constructor')).status).toBe(404);
});

test('a link on another site works for a signed-in reader: the page reloads itself with the cookie', async () => {
  const { get } = await createTestEnvironment(0);
  const answer = await get('/promotions/abc', { 'sec-fetch-site': 'cross-site' });
  expect([answer.status, answer.headers.get('refresh')]).toEqual([200, '0;url=/promotions/abc']);
  expect((await get('/promotions/abc', { 'sec-fetch-site': 'same-origin' })).status).toBe(401);
});
