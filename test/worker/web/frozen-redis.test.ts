import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { ensureServer } from '../../../lib/redis/server/ensure-server.ts';
import { testRedis } from '../../environment/redis.ts';
import { testServerBinary } from '../../environment/redis-binary.ts';
import { createTestEnvironment as startTestWorker, release } from '../../environment/worker/lanes-at-work.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { askWorker, workerToken } from '../../environment/worker/worker-environment.ts';
import { doAct } from '../../../worker/web/dashboard/acts/do-act.ts';
import { acts } from '../../../worker/web/dashboard/acts/acts.ts';
import { redisFolder } from '../../lib/redis/redis-folder.ts';
import { createTestEnvironment, watching } from '../crash/crash-environment.ts';
import { startProcess } from '../crash/start-process.ts';
import { oneLane, person } from '../promotion/gates/one-lane.ts';

const redis = testRedis();

test('an action whose caller gave up while Redis was frozen does not happen afterwards', async () => {
  const { worker } = await startTestWorker(redis, { lanes: '  []' });
  const isAlive = async () => expect((await fetch(`${worker.url}/livez`)).status).toBe(200);
  process.kill(redis.pid, 'SIGSTOP');
  try {
    const headers = { authorization: `Bearer ${workerToken}` };
    const call = request(`${worker.url}/api/pause`, { method: 'POST', headers });
    const isClosed = Promise.withResolvers<void>();
    // The error that it ends with is ours.
    call.on('error', () => undefined).on('close', isClosed.resolve);
    call.end(JSON.stringify({ reason: 'month end' }));
    await once(call, 'finish');
    // Another request is answered, so the worker has read this one, and then its end.
    await isAlive();
    call.destroy();
    await isClosed.promise;
    await isAlive();
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  await eventually(async () => (await fetch(`${worker.url}/readyz`)).status).toBe(200);
  expect((await askWorker(worker.url, 'pauses')).body).toEqual({ pauses: [] });
});

test('an action on the dashboard whose person was answered that it took too long does not happen', async () => {
  const { ports } = await oneLane(redis);
  const act = acts.find(({ kind }) => kind === 'worker') ?? expect.unreachable();
  const visit = { operator: person('root', 'admin'), csrf: '', ports, id: '', address: '/pause' };
  const page = { ...visit, query: new URLSearchParams(), isDisconnected: () => true };
  expect(await doAct(act, { reason: 'month end' }, page, (main) => main)).toMatchObject({ status: 503 });
  expect(await ports.store.pauses()).toEqual([]);
});

test('a worker whose Redis is frozen ends when it is stopped', async () => {
  const env = await createTestEnvironment();
  // BullMQ connects again when a wait for a job took too long, here after the worker has given Redis up.
  const { child, url } = await startProcess(redis, env, { stopWithinMs: 1_000, redisWithinMs: 500 });
  await release(env, 'v1.0.0');
  await watching(env, url);
  process.kill(redis.pid, 'SIGSTOP');
  try {
    // Answered after the freeze.
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
});

test('a worker whose Redis is down ends when it is stopped', async () => {
  const folder = redisFolder();
  mkdirSync(folder, { recursive: true });
  const server = await ensureServer({ folder, findBinary: testServerBinary, clock: systemClock });
  const env = await createTestEnvironment();
  const { child, url } = await startProcess(server, env, { stopWithinMs: 1_000, redisWithinMs: 500 });
  await release(env, 'v1.0.0');
  await watching(env, url);
  process.kill(server.pid, 'SIGKILL');
  await eventually(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
