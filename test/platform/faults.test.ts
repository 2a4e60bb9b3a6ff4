import { EventEmitter, once } from 'node:events';
import { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FaultRule, readSeed } from '../../platform/index.ts';
import { raw, rawRequest, readRaw } from './raw.ts';
import { type Talk, talk } from './talk.ts';

const variable = (name: string) => ({ name, type: 'TEXT', behaviour: 'SHARED', value: 'x' });
const create = (platform: Talk, name = 'v') =>
  raw(platform, `POST ${platform.project}/variables`, { body: JSON.stringify(variable(name)) });
const created = (platform: Talk) =>
  platform.platform.ledger({ operation: 'variables.create' }).map(({ subject }) => subject.name);
const outcomes = (platform: Talk) => platform.platform.requests().requests.map(({ outcome }) => outcome);
const headOf = (answer: string) => answer.split('\r\n\r\n', 1)[0] ?? '';
const bodyOf = (answer: string) => answer.slice(headOf(answer).length + 4);

function hurt(...rules: FaultRule[]): Promise<Talk> {
  return talk({ faults: rules });
}

describe('on the wire', () => {
  test('refuse: the connection ends before anything is read, and nothing happened', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'refuse', times: 1 });
    expect((await create(platform)).text).toBe('');
    expect(created(platform)).toEqual([]);
    expect(outcomes(platform)).toEqual(['refuse']);
    expect((await platform.post(`${platform.project}/variables`, variable('v'))).status).toBe(201);
  });

  test('reset-before: the request is read and the connection reset, and nothing happened', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'reset-before' });
    expect(await create(platform)).toEqual({ text: '', over: 'ECONNRESET' });
    expect(created(platform)).toEqual([]);
    expect(outcomes(platform)).toEqual(['reset-before']);
  });

  test('reset-after: the request is carried out, once, and the connection reset instead of an answer', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'reset-after', times: 1 });
    expect(await create(platform)).toEqual({ text: '', over: 'ECONNRESET' });
    expect(created(platform)).toEqual(['v']);
    expect(platform.platform.requests().requests).toEqual([
      expect.objectContaining({ operation: 'variables.create', status: 201, outcome: 'reset-after' }),
    ]);
    expect((await platform.post(`${platform.project}/variables`, variable('v'))).status).toBe(409);
    expect(created(platform)).toEqual(['v']);
  });

  test('reset-after also applies to a refusal, and to an upload after its version exists', async () => {
    await using platform = await hurt({ operation: 'artifacts.create', wire: 'reset-after' });
    await expect(platform.publish('1')).rejects.toThrow('fetch failed');
    await expect(platform.publish('1')).rejects.toThrow('fetch failed');
    expect(platform.platform.ledger({ operation: 'artifacts.create' })).toHaveLength(1);
    expect(platform.platform.requests().requests.map(({ status }) => status)).toEqual([201, 409]);
  });

  test.each([true, false])(
    'empty: the connection ends in order without a byte (processed: %s)',
    async (processed) => {
      await using platform = await hurt({ operation: 'variables.create', wire: 'empty', processed });
      expect(await create(platform)).toEqual({ text: '', over: 'end' });
      expect(created(platform)).toEqual(processed ? ['v'] : []);
    },
  );

  test('dribble: the head comes at once, the body a byte at a time by the clock', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'dribble', interval: '2s' });
    const socket = await rawRequest(platform, `POST ${platform.project}/variables`, {
      body: JSON.stringify(variable('v')),
    });
    onTestFinished(() => void socket.destroy());
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(bodyOf(head.toString())).toBe('');
    await platform.clock.asleep();
    await platform.clock.advance(1999);
    const first = once(socket, 'data');
    await platform.clock.advance(1);
    expect(String((await first)[0])).toBe('{');
    const rest = readRaw(socket);
    await platform.clock.advance(200_000);
    expect(JSON.parse(`{${(await rest).text}`)).toMatchObject({ name: 'v' });
  });

  test('malformed-chunk: a good chunk, then one that is none', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'malformed-chunk', times: 1 });
    const answer = await create(platform);
    expect(headOf(answer.text)).toContain('transfer-encoding: chunked');
    expect(headOf(answer.text)).not.toContain('content-length');
    expect(answer.text).toMatch(/\r\nzz\r\nno chunk\r\n$/);
    expect(created(platform)).toEqual(['v']);
    platform.platform.faults.set([{ wire: 'malformed-chunk' }]);
    const url = `${platform.platform.baseUrl}${platform.project}/variables`;
    const agent = new Agent();
    onTestFinished(() => agent.close());
    const headers = { authorization: `Bearer ${platform.platform.tokens.superAdmin}` };
    const { body } = await request(url, { dispatcher: agent, headers });
    await expect(text(body)).rejects.toThrow(/chunk/i);
  });

  test('truncated: the head promises more than comes', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'truncated' });
    const answer = await create(platform);
    const [, promised] = /content-length: (\d+)/.exec(headOf(answer.text)) ?? [];
    expect(bodyOf(answer.text)).toHaveLength(Math.floor(Number(promised) / 2));
    expect(Number(promised)).toBeGreaterThan(10);
    expect(answer.over).toBe('end');
    const url = `${platform.platform.baseUrl}${platform.project}/variables`;
    platform.platform.faults.set([{ wire: 'truncated' }]);
    const headers = { authorization: `Bearer ${platform.platform.tokens.superAdmin}` };
    const response = await fetch(url, { headers });
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('stall: half of the body comes, then nothing more, and the connection stays open', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'stall' });
    const socket = await rawRequest(platform, `POST ${platform.project}/variables`, {
      body: JSON.stringify(variable('v')),
    });
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await expect.poll(() => bodyOf(received).length).toBeGreaterThan(10);
    const [, promised] = /content-length: (\d+)/.exec(headOf(received)) ?? [];
    expect(bodyOf(received)).toHaveLength(Math.floor(Number(promised) / 2));
    expect(socket.closed).toBe(false);
    expect(created(platform)).toEqual(['v']);
  });

  test('an answer without a body is broken too', async () => {
    await using platform = await hurt(
      { operation: 'variables.delete', wire: 'truncated' },
      { operation: 'variables.create', nth: 99, wire: 'empty' },
    );
    await platform.post(`${platform.project}/variables`, variable('v'));
    const answer = await raw(platform, `DELETE ${platform.project}/variables/v`);
    expect(answer.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-length: 2\r\n\r\n\{$/);
  });

  test('silence: carried out, and never a byte; the caller who hangs up leaves nothing behind', async () => {
    await using platform = await hurt({ operation: 'variables.create', wire: 'silence' });
    const socket = await rawRequest(platform, `POST ${platform.project}/variables`, {
      body: JSON.stringify(variable('v')),
    });
    await expect.poll(() => outcomes(platform)).toEqual(['silence']);
    expect(created(platform)).toEqual(['v']);
    expect(socket.bytesRead).toBe(0);
    socket.destroy();
    expect((await platform.get('/v1/projects')).status).toBe(200);
  });

  test('closing the platform ends the silent, the slow and the dribbling', async () => {
    const platform = await hurt(
      { operation: 'projects.list', wire: 'silence' },
      { operation: 'environments.list', latency: '1h' },
      { operation: 'variables.list', wire: 'dribble' },
    );
    const requests = await Promise.all(
      ['/v1/projects', `${platform.project}/environments`, `${platform.project}/variables`].map((path) =>
        rawRequest(platform, `GET ${path}`),
      ),
    );
    const ends = Promise.all(requests.map(readRaw));
    await platform.clock.asleep(2);
    await platform.platform.close();
    expect((await ends).map(({ text: sent }) => bodyOf(sent))).toEqual(['', '', '']);
  });
});

describe('as an answer', () => {
  test('status, headers and body replace the platform’s answer, and nothing is executed', async () => {
    await using platform = await hurt({
      operation: 'variables.create',
      status: 503,
      headers: { 'Retry-After': '7' },
      body: { error: 'busy' },
      times: 1,
    });
    const send = () => platform.post(`${platform.project}/variables`, variable('v'));
    const answer = await send();
    expect(answer).toMatchObject({ status: 503, body: { error: 'busy' } });
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.get('x-request-id')).toBe(platform.platform.requests().requests[0]?.requestId);
    expect(created(platform)).toEqual([]);
    expect((await send()).status).toBe(201);
    expect(outcomes(platform)).toEqual(['fault', 'answered']);
  });

  test('with processed: true a 500 hides that the work was done', async () => {
    await using platform = await hurt({ operation: 'variables.create', status: 500, processed: true });
    expect((await platform.post(`${platform.project}/variables`, variable('v'))).status).toBe(500);
    expect(created(platform)).toEqual(['v']);
  });

  test('a login page, a redirect and half a JSON come as they are given', async () => {
    await using platform = await hurt(
      { nth: 1, status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' },
      { nth: 2, status: 302, headers: { location: '/elsewhere' } },
      { nth: 3, status: 200, headers: { 'content-type': 'application/json' }, body: '{"page":' },
    );
    const ask = () => raw(platform, 'GET /v1/projects', { headers: ['connection: close'] });
    const [page, redirect, half] = [await ask(), await ask(), await ask()];
    expect(page.text).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/html\r\n[^]*<h1>Log in<\/h1>$/);
    expect(redirect.text).toMatch(/^HTTP\/1\.1 302 Found\r\nlocation: \/elsewhere\r\n/);
    expect(half.text).toMatch(/\r\n\r\n\{"page":$/);
  });

  test('a content-length that is too short is sent as it is given', async () => {
    await using platform = await hurt({
      status: 200,
      headers: { 'content-type': 'application/json', 'content-length': '3' },
      body: { a: 1 },
    });
    const answer = await raw(platform, 'GET /v1/projects');
    expect(headOf(answer.text)).toContain('content-length: 3');
    expect(bodyOf(answer.text)).toBe('{"a":1}');
  });

  test('a length may be promised that filler does not keep', async () => {
    await using platform = await hurt({
      status: 200,
      headers: { 'content-length': '5000000000' },
      bodyBytes: 100_000,
    });
    const answer = await raw(platform, 'GET /v1/projects');
    expect(headOf(answer.text)).toContain('content-length: 5000000000');
    expect(bodyOf(answer.text)).toHaveLength(100_000);
  });

  test('a body of 100 MB comes whole, a rule alone as its source', async () => {
    await using platform = await hurt({ status: 200, bodyBytes: 100_000_000 });
    const headers = { authorization: `Bearer ${platform.platform.tokens.superAdmin}` };
    const response = await fetch(`${platform.platform.baseUrl}/v1/projects`, { headers });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
    expect(bytes).toBe(100_000_000);
  });

  test('a struck answer has few listeners, so that Node warns of no leak', async () => {
    const before = EventEmitter.defaultMaxListeners;
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    // Well below Node's ten: layers between the platform and the wire may add some of their own.
    EventEmitter.defaultMaxListeners = 5;
    process.on('warning', note);
    onTestFinished(() => {
      EventEmitter.defaultMaxListeners = before;
      process.off('warning', note);
    });
    await using platform = await hurt({
      operation: 'projects.list',
      status: 200,
      processed: true,
      bodyBytes: 10_000_000,
    });
    const headers = { authorization: `Bearer ${platform.platform.tokens.superAdmin}` };
    const answer = await fetch(`${platform.platform.baseUrl}/v1/projects`, { headers });
    expect((await answer.text()).length).toBe(10_000_000);
    // A warning is emitted on the next turn.
    await setImmediate();
    expect(
      warnings.filter((warning) => 'emitter' in warning && warning.emitter instanceof ServerResponse),
    ).toEqual([]);
  });

  test('latency alone holds the request back, and the answer too where it is processed first', async () => {
    await using platform = await hurt({ operation: 'variables.create', latency: '30s' });
    const slow = platform.post(`${platform.project}/variables`, variable('v'));
    await platform.clock.asleep();
    expect(created(platform)).toEqual([]);
    await platform.clock.advance(30_000);
    expect((await slow).status).toBe(201);
    platform.platform.faults.set([{ latency: '30s', processed: true }]);
    const late = platform.post(`${platform.project}/variables`, variable('w'));
    await platform.clock.asleep();
    expect(created(platform)).toEqual(['v', 'w']);
    await platform.clock.advance(30_000);
    expect((await late).status).toBe(201);
  });

  test('who hangs up while a request is held back has sent it all the same', async () => {
    await using platform = await hurt({ operation: 'variables.create', latency: '30s' });
    const socket = await rawRequest(platform, `POST ${platform.project}/variables`, {
      body: JSON.stringify(variable('v')),
    });
    await platform.clock.asleep();
    socket.destroy();
    await expect.poll(() => outcomes(platform)).toEqual(['hung-up']);
    await platform.clock.advance(30_000);
    await expect.poll(() => created(platform)).toEqual(['v']);
  });

  test('the token endpoint is hurt by the name oauth.token', async () => {
    await using platform = await hurt({ operation: 'oauth.token', status: 500, times: 1 });
    const { clientId = '', clientSecret = '' } = platform.platform.clientCredentials ?? {};
    const form = () =>
      platform.post(
        '/oauth/token',
        new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
        }),
      );
    expect([(await form()).status, (await form()).status]).toEqual([500, 200]);
  });
});

describe('which calls', () => {
  const statuses = async (platform: Talk, count: number, path = '/v1/projects') => {
    const all = [];
    for (let i = 0; i < count; i += 1) all.push((await platform.get(path)).status);
    return all;
  };

  test('nth and times count the matching calls of each rule separately', async () => {
    await using platform = await hurt(
      { operation: 'projects.list', nth: [2, 3], status: 500, times: 1 },
      { operation: ['projects.list', 'audit.list'], nth: 4, status: 502 },
    );
    expect(await statuses(platform, 3)).toEqual([200, 500, 200]);
    expect(await statuses(platform, 1, '/v1/events')).toEqual([502]);
    expect(platform.platform.faults.list().rules.map(({ calls, struck }) => [calls, struck])).toEqual([
      [3, 1],
      [4, 1],
    ]);
  });

  test('a rule with a project strikes in that project only', async () => {
    await using platform = await talk();
    platform.platform.faults.add([{ project: platform.platform.projectId, status: 500 }]);
    expect(await statuses(platform, 1)).toEqual([200]);
    expect(await statuses(platform, 1, `${platform.project}/environments`)).toEqual([500]);
  });

  test('a probability strikes the same calls for the same seed, and others for another', async () => {
    const run = async (seed: number) => {
      await using platform = await hurt({ probability: 0.4, seed, status: 500 });
      return await statuses(platform, 40);
    };
    const [one, again, other] = [await run(7), await run(7), await run(8)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    const struck = one.filter((status) => status === 500).length;
    expect(struck).toBeGreaterThan(6);
    expect(struck).toBeLessThan(26);
  });

  test('a rate limit answers 429 with the seconds until the minute is over, and lets go after it', async () => {
    await using platform = await talk({ faults: { rateLimit: 3 } });
    expect(await statuses(platform, 4)).toEqual([200, 200, 200, 429]);
    await platform.clock.advance(20_500);
    const refused = await platform.get('/v1/projects');
    expect(refused).toMatchObject({ status: 429, body: { status: 429 } });
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(outcomes(platform).at(-1)).toBe('rate-limited');
    await platform.clock.advance(39_500);
    expect(await statuses(platform, 1)).toEqual([200]);
  });

  test('true is a thousand a minute', async () => {
    await using platform = await talk({ faults: { rateLimit: true } });
    expect(platform.platform.faults.list()).toEqual({ rules: [], rateLimit: 1000 });
  });

  test('a seed brings faults, as a list or with a rate limit, and names the line of a wrong one', async () => {
    const seed = (faults: string) =>
      readSeed(`credentials: [{ name: a, role: superAdmin }]\nfaults:\n${faults}`, { file: 'seed.yaml' });
    await using platform = await talk({ seed: seed('  - { status: 500, nth: 1 }\n') });
    expect(await statuses(platform, 2)).toEqual([500, 200]);
    await using limited = await talk({ seed: seed('  rateLimit: 1\n') });
    expect(await statuses(limited, 2)).toEqual([200, 429]);
    expect(() => seed('  - { status: 500 }\n  - { wire: explode }\n')).toThrow(
      expect.objectContaining({ where: { file: 'seed.yaml', line: 4, column: 13 } }),
    );
    expect(() => seed('  rateLimit: 5\n  rules:\n    - { status: 5 }\n')).toThrow(
      expect.objectContaining({ where: { file: 'seed.yaml', line: 5, column: 17 } }),
    );
  });
});
