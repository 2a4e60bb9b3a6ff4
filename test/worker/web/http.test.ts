import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { testRedis } from '../../environment/redis.ts';
import { createWorkerEnvironment, workerToken } from '../../environment/worker/worker-environment.ts';

const redis = testRedis();
const headers = { authorization: `Bearer ${workerToken}` };

async function createTestEnvironment() {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const errors: unknown[] = [];
  const error = (...line: readonly unknown[]): void => void errors.push(line);
  const worker = await startWorker({ ...env.options(redis), logger: { ...silentLogger, error } });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  return { env, worker, errors };
}

test('HEAD is answered like GET without a body, but not by the API', async () => {
  const { worker } = await createTestEnvironment();
  for (const [place, status] of [
    ['/livez', 200],
    ['/', 401],
    ['/assets/live.js', 200],
    ['/nonsense', 404],
    ['/api/lanes', 404],
  ] as const) {
    const answer = await fetch(`${worker.url}${place}`, { method: 'HEAD', headers });
    expect([answer.status, await answer.text()], place).toEqual([status, '']);
  }
});

test('a form in another form, and one with a field given twice, are refused', async () => {
  const { worker } = await createTestEnvironment();
  const post = async (type: string, body: string) => {
    const form = { origin: worker.url, 'content-type': type };
    return (await fetch(`${worker.url}/session`, { method: 'POST', headers: form, body })).status;
  };
  expect(await post('text/plain', `token=${workerToken}`)).toBe(415);
  expect(await post('multipart/form-data; boundary=x', '--x--')).toBe(415);
  expect(await post('application/x-www-form-urlencoded', `token=x&token=${workerToken}`)).toBe(400);
});

test('an address with escapes that are not UTF-8 is unknown, to a browser and to a program', async () => {
  const { worker, errors } = await createTestEnvironment();
  const page = await fetch(`${worker.url}/lanes/%ff`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const api = await fetch(`${worker.url}/api/lanes/%ff`, { headers: { ...headers, accept: 'text/html' } });
  expect([api.status, await api.json()]).toEqual([404, { error: 'no such page', status: 404 }]);
  expect(errors).toEqual([]);
});

test('an internal error is logged, and its answer tells nothing of it', async () => {
  const { env, worker, errors } = await createTestEnvironment();
  await redis.connect().set(keysUnder(env.prefix).lanes, 'not the type that the worker reads');
  const answer = await fetch(`${worker.url}/api/lanes`, { headers });
  expect([answer.status, await answer.json()]).toEqual([500, { error: 'internal', status: 500 }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(errors).toContainEqual(['A request failed.', { error: expect.stringContaining('WRONGTYPE') }]);
});

test('an idle connection does not delay a stop, and is closed by it', async () => {
  const { worker } = await createTestEnvironment();
  const { hostname, port } = new URL(worker.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await worker.close();
  await closed;
  await expect(fetch(`${worker.url}/livez`)).rejects.toThrow('fetch failed');
});
