import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { startWorker, type WorkerOptions } from '../../worker/app/start-worker.ts';
import { keysUnder } from '../../worker/store/scripts/keys.ts';
import { testRedis } from '../environment/redis.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  slow,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  promotionsOf,
  type WorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

type Stored = Readonly<Record<string, readonly [type: string, value: unknown]>>;

/** Written by the worker of commit 0d125859, which called promotions runs: one is active, and one waits. */
const oldRecords = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'store/records-before-formats.json'), 'utf8'),
) as Stored;

async function store(records: Stored, prefix: string): Promise<void> {
  const connection = redis.connect();
  for (const [name, [type, value]] of Object.entries(records)) {
    const key = name.replace('{old}', prefix);
    if (type === 'hash') await connection.hset(key, value as Record<string, string>);
    else if (type === 'set') await connection.sadd(key, value as string[]);
    else if (type === 'list') await connection.rpush(key, ...(value as string[]));
    else if (type === 'zset') {
      const flat = value as string[];
      for (let i = 0; i < flat.length; i += 2) await connection.zadd(key, flat[i + 1] ?? '', flat[i] ?? '');
    } else if (type === 'stream')
      for (const [id, fields] of value as [string, string[]][]) await connection.xadd(key, id, ...fields);
    else await connection.set(key, String(value));
  }
}

test.each([
  ['with promotions', oldRecords],
  [
    'of lanes that were rebuilt, without promotions',
    Object.fromEntries(Object.entries(oldRecords).filter(([key]) => !key.endsWith(':runs'))),
  ],
])('a worker does not start on records from before the formats, %s, and names them', async (_, records) => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  await store(records, env.prefix);
  await expect(startWorker(env.options(redis))).rejects.toMatchObject({
    code: 'records-too-old',
    message: expect.stringMatching(/from before 22 November 2026.*They have 1 lane: 77\/.*\/to-test\./u),
    hint: expect.stringContaining('MILLRACE_REDIS_URL'),
  });
});

/** A worker of another installation: the same Redis and names, but another platform. */
async function startOther(env: WorkerEnvironment) {
  const other = await createWorkerEnvironment({ lanes: toTest });
  const logged: string[] = [];
  const log = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const options: WorkerOptions = env.options(redis);
  const worker = await startWorker({
    ...options,
    settings: { ...options.settings, unansweredMs: 50 },
    logger: { debug: log, info: log, warn: log, error: log },
    createClientFor: (__, middlewares) =>
      createClient({
        baseUrl: other.wire.baseUrl,
        auth: { token: other.platform.tokens.admin },
        middlewares,
      }),
  });
  onTestFinished(async () => {
    await worker.close();
    await other[Symbol.asyncDispose]();
  });
  return { other, worker, logged };
}

test('a worker with another platform continues no promotion on its own, and says why it waits', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, seed: slow(60_000) });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.step).toBe('watch');
  await worker.close();

  const { other, worker: second } = await startOther(env);
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(
    /^pending: Waiting: the records in Redis are about the platform at /u,
  );
  expect((await promotionsOf(second.url, 'to-test'))[0]).toMatchObject({ state: 'active', step: 'watch' });
  expect(other.wire.calls).toEqual([]);
});

test('records without the address of their platform get it from the worker that reads them first', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const { platforms } = keysUnder(env.prefix);
  const logged: string[] = [];
  const log = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const run = async (version: string) => {
    await using worker = await startWorker({
      ...env.options(redis),
      logger: { debug: log, info: log, warn: log, error: log },
    });
    await release(env, version);
    await pushed(env, worker, version);
    expect(await ended(worker, 'to-test', version)).toMatchObject({ outcome: 'passed' });
  };
  await run('v1.0.0');
  expect(await redis.connect().hgetall(platforms)).toEqual({ platform: env.wire.baseUrl });
  // As an older worker left them.
  await redis.connect().del(platforms);
  await run('v1.1.0');
  expect(await redis.connect().hgetall(platforms)).toEqual({ platform: env.wire.baseUrl });
  const lines = logged.filter((line) => line.startsWith('The records now know the address'));
  expect(lines).toEqual(
    Array(2).fill(
      `The records now know the address of their platform. ${JSON.stringify({ credential: 'platform', address: env.wire.baseUrl })}`,
    ),
  );
});
