import { expect, onTestFinished, test } from 'vitest';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { type RunningWorker, startWorker } from '../../worker/app/start-worker.ts';
import { recordFormat } from '../../worker/records/record-format.ts';
import { keysUnder } from '../../worker/store/scripts/keys.ts';
import { testRedis } from '../environment/redis.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { ended, holdOf, pushed, release, slow, toTest } from '../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  createWorkerEnvironment,
  promotionsOf,
  type WorkerEnvironment,
  workerToken,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();
const newer = recordFormat + 1;

async function createTestEnvironment() {
  const lanes = toTest.replace('verify:', 'policy: every\n    verify:');
  const env = await createWorkerEnvironment({ lanes, seed: slow(60) });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return env;
}

/** A worker of the version that writes this format, and what it logged. */
async function start(
  env: WorkerEnvironment,
  known: number,
): Promise<{ readonly worker: RunningWorker; readonly logged: readonly string[] }> {
  const logged: string[] = [];
  const write = (message: string): void => void logged.push(message);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const options = env.options(redis);
  const settings = { ...options.settings, reconcileMs: 50, recordFormat: known };
  const worker = await startWorker({ ...options, logger, settings });
  onTestFinished(() => worker.close());
  return { worker, logged };
}

const readyz = async ({ url }: RunningWorker) => (await fetch(`${url}/readyz`)).json();
const metrics = async ({ url }: RunningWorker) =>
  (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${workerToken}` } })).text();

test('while a newer worker works beside it, the older one leaves it all records, and nothing is done twice', async () => {
  const env = await createTestEnvironment();
  const older = await start(env, recordFormat);
  const versions = ['v1.0.0', 'v1.1.0', 'v1.2.0'];
  for (const version of versions) await release(env, version);
  await pushed(env, older.worker, 'v1.0.0');
  await eventually(() => env.wire.count('POST', '/pipeline-executions')).toBe(1);
  const next = await start(env, newer);
  await pushed(env, older.worker, 'v1.1.0');
  await pushed(env, next.worker, 'v1.2.0');
  for (const version of versions)
    expect(await ended(next.worker, 'to-test', version)).toMatchObject({ outcome: 'passed' });
  expect(await holdOf(next.worker, 'to-test')).toBeUndefined();
  for (const path of ['/promotions', '/pipeline-executions']) expect(env.wire.count('POST', path)).toBe(3);
  expect(older.logged.filter((line) => line.startsWith('A newer worker has raised'))).toHaveLength(1);
  expect(next.logged).toContainEqual(expect.stringContaining('has raised the format of the records'));
  expect(await readyz(older.worker)).toMatchObject({
    ready: true,
    records: { format: newer, known: recordFormat },
  });
  expect(await metrics(older.worker)).toMatch(/^millrace_records_newer 1$/m);
  const [{ id } = expect.unreachable()] = await promotionsOf(older.worker.url, 'to-test');
  expect(await askWorker(older.worker.url, `promotions/${id}/retry`, {})).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('a newer worker has raised') },
  });
});

test('an older worker does not start on records of a newer format, and says how to fix it', async () => {
  const env = await createTestEnvironment();
  await using _ = (await start(env, newer)).worker;
  const stored = await redis.connect().hgetall(keysUnder(env.prefix).format);
  expect(stored).toMatchObject({ number: String(newer) });
  await expect(start(env, recordFormat)).rejects.toMatchObject({
    code: 'records-newer',
    message: expect.stringMatching(`have format ${newer}, .*knows formats up to ${recordFormat}`),
    hint: expect.stringContaining('restore the backup of Redis from before the upgrade'),
  });
});

test('an older worker that stands by continues once a backup from before the upgrade is restored', async () => {
  const env = await createTestEnvironment();
  const { worker, logged } = await start(env, recordFormat);
  const connection = redis.connect();
  const { format } = keysUnder(env.prefix);
  await eventually(() => connection.hget(format, 'number')).toBe(String(recordFormat));
  await connection.hset(format, 'number', newer);
  await eventually(() => metrics(worker)).toMatch(/^millrace_records_newer 1$/m);
  await connection.hset(format, 'number', recordFormat);
  await eventually(() => metrics(worker)).toMatch(/^millrace_records_newer 0$/m);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(logged).toContainEqual(expect.stringContaining('knows the format of the records again'));
});
