import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { type RunningWorker, startWorker, type WorkerOptions } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  askWorker,
  deliver,
  type Delivery,
  delivery,
  repositoryId,
  sign,
  createWorkerEnvironment,
  type WorkerEnvironment,
  webhookSecret,
  workerToken,
} from '../../../environment/worker/worker-environment.ts';
import { commentOn } from '../../../environment/worker/comment-on.ts';
import { eventually } from '../../../environment/worker/eventually.ts';

const redis = testRedis();
const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
`;

async function createTestEnvironment(
  change: Partial<WorkerOptions> = {},
): Promise<{ env: WorkerEnvironment; worker: RunningWorker; url: string }> {
  const env = await createWorkerEnvironment({ lanes });
  const base = env.options(redis);
  const settings = { ...base.settings, ...change.settings };
  const worker = await startWorker({ ...base, ...change, settings });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  return { env, worker, url: worker.url };
}

const zeros = '0'.repeat(40);
const pushBody = (extra: Record<string, unknown> = {}) => ({
  ref: 'refs/tags/v1.0.0',
  before: zeros,
  after: 'a'.repeat(40),
  created: true,
  deleted: false,
  forced: false,
  repository: { id: repositoryId, full_name: 'example/warehouse' },
  sender: { id: 1, login: 'octocat' },
  ...extra,
});

const examples = createRequire(import.meta.url)(
  '@octokit/webhooks-examples/api.github.com/index.json',
) as readonly { name: string; examples: readonly Record<string, unknown>[] }[];
const examplesOf = (name: string) => examples.find((entry) => entry.name === name)?.examples ?? [];

test.each([
  ['ping', 200, 'pong'],
  ['create', 200, 'ignored'],
  ['delete', 200, 'ignored'],
  ['deployment', 200, 'ignored'],
  ['issue_comment', 200, 'ignored'],
  // Of a repository that worker.yaml does not list.
  ['push', 200, 'ignored'],
])('every real payload of %s is answered %i, %s', async (name, status, result) => {
  const { url } = await createTestEnvironment();
  expect(examplesOf(name).length).toBeGreaterThan(3);
  for (const payload of examplesOf(name)) {
    expect(await deliver(url, delivery(name, payload))).toEqual({ status, result });
  }
});

test('real pushes of a served repository are accepted, pushes of deleted refs are ignored', async () => {
  const { url } = await createTestEnvironment();
  const fates: string[] = [];
  for (const payload of examplesOf('push')) {
    const ours = { ...payload, repository: { ...(payload['repository'] as object), id: repositoryId } };
    fates.push(`${String(payload['deleted'])} ${(await deliver(url, delivery('push', ours))).result}`);
  }
  expect(new Set(fates)).toEqual(new Set(['false accepted', 'true ignored']));
});

test('the vector of GitHub’s own documentation is a good signature', () => {
  expect(sign('Hello, World!', "It's a Secret to Everybody")).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  );
});

const good = delivery('push', pushBody());
const withSignature = (signature: string): Delivery => ({
  ...good,
  headers: { ...good.headers, 'x-hub-signature-256': signature },
});
const right = good.headers['x-hub-signature-256'] ?? '';

test.each([
  ['of another secret', sign(good.body, 'another')],
  ['of another body', sign(`${good.body} `)],
  ['cut short', right.slice(0, -1)],
  ['in capitals', right.toUpperCase()],
  ['without its prefix', right.slice('sha256='.length)],
  ['of the old kind', `sha1=${'a'.repeat(40)}`],
  ['that is empty', ''],
  ['with something after it', `${right}0`],
])('a signature %s is refused with 401', async (_, signature) => {
  const { url } = await createTestEnvironment();
  expect(await deliver(url, withSignature(signature))).toEqual({ status: 401, result: 'refused' });
});

test('a delivery without a signature is refused, and so is any while no secret is set', async () => {
  const { url } = await createTestEnvironment();
  const { 'x-hub-signature-256': _, ...headers } = good.headers;
  expect(await deliver(url, { ...good, headers })).toMatchObject({ status: 401 });
  const other = await createTestEnvironment({ webhookSecrets: () => [] });
  expect(await deliver(other.url, good)).toMatchObject({ status: 401 });
});

test('while secrets are rotated both are good, and afterwards the new one only', async () => {
  let secrets = ['old', 'new'];
  const { url } = await createTestEnvironment({ webhookSecrets: () => secrets });
  const signed = (secret: string) => delivery('ping', { zen: secret }, secret);
  expect(await deliver(url, signed('old'))).toMatchObject({ status: 200 });
  expect(await deliver(url, signed('new'))).toMatchObject({ status: 200 });
  secrets = ['new'];
  expect(await deliver(url, signed('old'))).toMatchObject({ status: 401 });
  expect(await deliver(url, signed('new'))).toMatchObject({ status: 200 });
});

test.each([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a body that is packed', { 'content-encoding': 'gzip' }, 415],
  ['a delivery id that is none', { 'x-github-delivery': 'a:b' }, 400],
])('%s is refused', async (_, headers, status) => {
  const { url } = await createTestEnvironment();
  expect(await deliver(url, { ...good, headers: { ...good.headers, ...headers } })).toMatchObject({ status });
});

test('anything but POST is refused with 405', async () => {
  const { url } = await createTestEnvironment();
  const response = await fetch(`${url}/webhooks/github`);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});

/** Writes raw bytes and gives the status line of the answer. */
async function raw(url: string, head: readonly string[], chunks: readonly string[] = []): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const lines = ['POST /webhooks/github HTTP/1.1', 'host: worker', 'content-type: application/json', ...head];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  for (const chunk of chunks) socket.write(chunk);
  const answer = await text(socket);
  return answer.split('\r\n')[0] ?? '';
}

test('a body whose announced length is too large is refused before it is read', async () => {
  const { url } = await createTestEnvironment({ settings: { maxBodyBytes: 1_000 } });
  const status = await raw(url, ['content-length: 1001', `x-hub-signature-256: ${right}`]);
  expect(status).toBe('HTTP/1.1 413 Payload Too Large');
});

test('a body without a length is counted, and refused when it becomes too large', async () => {
  const { url } = await createTestEnvironment({ settings: { maxBodyBytes: 1_000 } });
  const chunk = `200\r\n${'x'.repeat(512)}\r\n`;
  const status = await raw(
    url,
    ['transfer-encoding: chunked', `x-hub-signature-256: ${right}`],
    [chunk, chunk, chunk],
  );
  expect(status).toBe('HTTP/1.1 413 Payload Too Large');
});

test('a small chunked body without a length is accepted', async () => {
  const { url } = await createTestEnvironment();
  const { body, headers } = delivery('push', pushBody({ after: 'b'.repeat(40) }));
  const [first, second] = [body.slice(0, 50), body.slice(50)];
  const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
  const head = Object.entries(headers)
    .filter(([name]) => name !== 'content-type')
    .map(([name, value]) => `${name}: ${value}`);
  const status = await raw(
    url,
    ['transfer-encoding: chunked', 'connection: close', ...head],
    [chunk(first), chunk(second), '0\r\n\r\n'],
  );
  expect(status).toBe('HTTP/1.1 202 Accepted');
});

test.each([
  ['no JSON', '{"ref":', 400, 'refused'],
  ['no text', '\u{fffd}\u0000', 400, 'refused'],
  ['no object', '17', 200, 'ignored'],
  ['nothing of a push', '{}', 200, 'ignored'],
  ['keys of the prototype', '{"__proto__":{"ref":"refs/heads/main"},"constructor":1}', 200, 'ignored'],
  ['a ref of another kind', JSON.stringify(pushBody({ ref: 'refs/pull/1/head' })), 200, 'ignored'],
  ['a line break in its ref', JSON.stringify(pushBody({ ref: 'refs/heads/a\nb' })), 200, 'ignored'],
  ['a commit that is none', JSON.stringify(pushBody({ after: '../../etc' })), 200, 'ignored'],
])('a signed push whose body is %s crashes nothing', async (_, body, status, result) => {
  const { url } = await createTestEnvironment();
  const headers = { ...good.headers, 'x-hub-signature-256': sign(body) };
  expect(await deliver(url, { headers, body })).toEqual({ status, result });
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test('a push under the name of another event does nothing, and does not burn the body for the real one', async () => {
  const { url } = await createTestEnvironment();
  const push = delivery('push', pushBody({ after: 'c'.repeat(40) }));
  const disguised = { ...push, headers: { ...push.headers, 'x-github-event': 'issue_comment' } };
  expect(await deliver(url, disguised)).toEqual({ status: 200, result: 'ignored' });
  expect(await deliver(url, push)).toEqual({ status: 202, result: 'accepted' });
  expect(await deliver(url, push)).toEqual({ status: 200, result: 'duplicate' });
});

test('a push is answered 503 in time while Redis is frozen, and accepted once Redis is back', async () => {
  const { url } = await createTestEnvironment({ settings: { acceptWithinMs: 500 } });
  const push = delivery('push', pushBody({ after: 'd'.repeat(40) }));
  process.kill(redis.pid, 'SIGSTOP');
  try {
    const response = await fetch(`${url}/webhooks/github`, { method: 'POST', ...push });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  // The first try may have reached Redis after all; the body decides, so that it is one push either way.
  await eventually(async () => (await deliver(url, push)).status).toBeLessThan(300);
  await eventually(async () => (await deliver(url, push)).result).toBe('duplicate');
});

test('what an operator no longer waits for when Redis is back is not done behind their back', async () => {
  const { env, url } = await createTestEnvironment();
  const commit = await env.repository.commit('main', { a: '1' });
  await env.repository.tag('v1.0.0', commit);
  await deliver(url, await env.push('refs/tags/v1.0.0'));
  interface Lane {
    readonly id: string;
    readonly holds: readonly unknown[];
  }
  const lanesNow = async () => (await askWorker<{ lanes: readonly Lane[] }>(url, 'lanes')).body.lanes;
  await eventually(lanesNow).toHaveLength(1);
  const id = encodeURIComponent((await lanesNow())[0]?.id ?? '');
  process.kill(redis.pid, 'SIGSTOP');
  try {
    const asked = fetch(`${url}/api/lanes/${id}/hold`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workerToken}` },
      body: JSON.stringify({ reason: 'x' }),
      signal: AbortSignal.timeout(300),
    });
    await expect(asked).rejects.toThrow('timeout');
    // A moment for the connection's end to come through.
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  // The second look comes after whatever the first one found on its way.
  await lanesNow();
  expect(await lanesNow()).toMatchObject([{ holds: [] }]);
});

test('a Redis that refuses writes makes 503, also for readiness', async () => {
  const { url } = await createTestEnvironment();
  const connection = redis.connect();
  const push = delivery('push', pushBody({ after: 'e'.repeat(40) }));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await connection.config('SET', 'maxmemory', '1');
  try {
    expect(await deliver(url, push)).toEqual({ status: 503, result: 'unavailable' });
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  } finally {
    await connection.config('SET', 'maxmemory', '0');
  }
  expect(await deliver(url, push)).toEqual({ status: 202, result: 'accepted' });
});

test('the operators’ API needs the token, and refuses everything if none is set', async () => {
  const { url } = await createTestEnvironment();
  expect((await fetch(`${url}/api/lanes`)).status).toBe(401);
  expect((await fetch(`${url}/api/lanes`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  const headers = { authorization: `Bearer ${workerToken}` };
  expect((await fetch(`${url}/api/lanes`, { headers })).status).toBe(200);
  for (const place of ['nothing', 'lanes/%'])
    expect((await fetch(`${url}/api/${place}`, { headers })).status, place).toBe(404);
  const other = await createTestEnvironment({ token: undefined });
  expect((await fetch(`${other.url}/api/lanes`, { headers })).status).toBe(403);
});

test('a comment’s command is accepted once, for served repositories only, and its text is not stored', async () => {
  const { url, env } = await createTestEnvironment();
  const words = '/millrace approve\n\na-word-of-the-comment';
  const comment = delivery('issue_comment', commentOn({ text: words }));
  // Signed as well as can be, and of a repository that worker.yaml does not list.
  const elsewhere = delivery('issue_comment', commentOn({ text: words, repository: 4242 }));
  expect(await deliver(url, elsewhere)).toEqual({ status: 200, result: 'ignored' });
  const edited = delivery('issue_comment', commentOn({ text: words, action: 'edited' }));
  expect(await deliver(url, edited)).toEqual({ status: 200, result: 'ignored' });
  expect(
    await deliver(url, { ...comment, headers: { ...comment.headers, 'x-github-event': 'push' } }),
  ).toEqual({
    status: 200,
    result: 'ignored',
  });
  expect(await deliver(url, comment)).toEqual({ status: 202, result: 'accepted' });
  expect(await deliver(url, comment)).toEqual({ status: 200, result: 'duplicate' });
  const connection = redis.connect();
  const dumps = await Promise.all(
    (await connection.keys(`${env.prefix}*`)).map((key) => connection.dumpBuffer(key)),
  );
  expect(dumps.some((dump) => dump?.includes('a-word-of-the-comment'))).toBe(false);
});

test('nothing of a payload but ids is kept in Redis', async () => {
  const { url, env } = await createTestEnvironment();
  const secretText = 'a-word-of-the-commit-message';
  const push = delivery('push', pushBody({ after: 'f'.repeat(40), head_commit: { message: secretText } }));
  expect(await deliver(url, push)).toMatchObject({ status: 202 });
  const connection = redis.connect();
  const keys = await connection.keys(`${env.prefix}*`);
  expect(keys.length).toBeGreaterThan(3);
  const dumps = await Promise.all(keys.map((key) => connection.dumpBuffer(key)));
  expect(dumps.some((dump) => dump?.includes(secretText))).toBe(false);
  expect(dumps.some((dump) => dump?.includes(webhookSecret))).toBe(false);
});

test('a push without a sender is accepted, with an unknown pusher', async () => {
  const { url } = await createTestEnvironment();
  const senders = [null, undefined, {}, { id: null, login: null }, { id: 1, login: 'x'.repeat(101) }];
  for (const [i, sender] of senders.entries()) {
    const body = pushBody({ sender, after: String(i).repeat(40) });
    expect(await deliver(url, delivery('push', body))).toEqual({ status: 202, result: 'accepted' });
  }
});

test.each(['//', '//[', '/\\', 'http://', 'http://a:99999/'])(
  'the address %s is none: that is the sender’s fault, and no line of the log',
  async (address) => {
    const lines: string[] = [];
    const error = (line: string): void => void lines.push(line);
    const { url } = await createTestEnvironment({ logger: { ...silentLogger, error } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(lines).toEqual([]);
  },
);

test.each([1, 2 * 1024 * 1024])(
  'a signed delivery of over %i bytes that is not UTF-8 is refused, and nothing is stored',
  async (padding) => {
    const { url } = await createTestEnvironment();
    const json = JSON.stringify(pushBody({ padding: ' '.repeat(padding) }));
    // In Latin-1, the name of the sender is not UTF-8.
    const body = Buffer.from(json.replace('octocat', 'oct\u00f6cat'), 'latin1');
    const signature = `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`;
    const headers = { ...good.headers, 'x-hub-signature-256': signature };
    const response = await fetch(`${url}/webhooks/github`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([
      400,
      { result: 'refused', reason: 'the body is not UTF-8' },
    ]);
  },
);

test('an act whose body is not JSON is refused, and nothing is done', async () => {
  const { url } = await createTestEnvironment();
  for (const body of ['{', 'reason=x', '\u0000']) {
    const headers = { authorization: `Bearer ${workerToken}` };
    const response = await fetch(`${url}/api/promotions/none/cancel`, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ error: 'the body is not JSON', status: 400 });
  }
});

test('a delivery whose body does not come whole in time is answered 408', async () => {
  const { url } = await createTestEnvironment({ settings: { requestWithinMs: 500 } });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const headers = [
    'Host: a',
    'Content-Type: application/json',
    'Content-Length: 9',
    `X-Hub-Signature-256: ${sign('')}`,
  ];
  socket.write(`POST /webhooks/github HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a port in use is a usage error that names the option', async () => {
  const { env, url } = await createTestEnvironment();
  const starting = startWorker({ ...env.options(redis), port: Number(new URL(url).port) });
  await expect(starting).rejects.toMatchObject({ code: 'usage', where: { input: '--port' } });
});
