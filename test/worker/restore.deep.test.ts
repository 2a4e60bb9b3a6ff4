import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { backUpRecords, restoreRecords } from '../../worker/app/back-up-records.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
import { type RunningWorker, startWorker } from '../../worker/app/start-worker.ts';
import { freePorts } from '../environment/redis-group.ts';
import { testServerBinary } from '../environment/redis-binary.ts';
import { testRedis } from '../environment/redis.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  ended,
  holdOf,
  laneId,
  pushed,
  release,
  resumeLane,
  slow,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  createWorkerEnvironment,
  promotionsOf,
  type WorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

const lanes = `${toTest.replace('v*', 'v1.*')}
  - name: to-prod
    on: { push: { tags: ["v9.*"] } }
    from: dev
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;

/** The shell commands of the page that name a program. */
function commandsOf(program: string): string {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/worker-upgrade.md'), 'utf8');
  const blocks = [...page.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, text = '']) => text);
  const block = blocks.find((text) => text.includes(program)) ?? '';
  expect(block, program).toContain('redis-cli');
  return block;
}

/** A Redis as an operator has it: a folder with its data, an address, and the programs in PATH. */
async function startRedis() {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-restore-'));
  const [data, programs] = [path.join(folder, 'data'), path.join(folder, 'bin')];
  const { binary, libraries } = await testServerBinary();
  for (const one of [data, programs]) mkdirSync(one);
  symlinkSync(binary, path.join(programs, 'redis-server'));
  const own = ['redis-cli', 'valkey-cli'].map((name) => path.join(path.dirname(binary), name));
  const client = own.find((file) => existsSync(file));
  if (client !== undefined) symlinkSync(client, path.join(programs, 'redis-cli'));
  const [port = 0] = await freePorts(1);
  const settings = path.join(folder, 'redis.conf');
  // `redis-cli --rdb` would wait for further replicas for five seconds.
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${data}`,
    'appendonly yes',
    'repl-diskless-sync-delay 0',
  ];
  writeFileSync(settings, [...lines, 'save ""', 'maxmemory-policy noeviction', ''].join('\n'));
  const url = `redis://127.0.0.1:${port}`;
  const backup = path.join(folder, 'millrace.rdb');
  const env = {
    ...serverEnvironment(libraries, `${programs}:${process.env['PATH'] ?? ''}`),
    MILLRACE_REDIS_URL: url,
    BACKUP: backup,
  };
  const run = (script: string, cwd: string) =>
    promisify(execFile)('bash', ['-euc', script], { cwd, env, timeout: 60_000 });

  async function launch(): Promise<() => Promise<void>> {
    const child = spawn(binary, [settings], { cwd: data, env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    const connection = connectRedis({ address: { kind: 'url', url }, role: 'worker', name: 'test' });
    await connection.ping();
    connection.disconnect();
    return async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited;
    };
  }
  let stop = await launch();
  onTestFinished(async () => {
    await run('redis-cli -s restore.sock shutdown || true', data);
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url,
    folder,
    backUp: () => run(commandsOf('--rdb'), folder),
    async restore() {
      await stop();
      await run(commandsOf('redis-server'), data);
      stop = await launch();
    },
  };
}

/** A minute later: nobody waits for a worker that has not called since. */
const later: Clock = { ...systemClock, now: () => systemClock.now() + 60_000 };

async function start(env: WorkerEnvironment, url: string, clock = systemClock): Promise<RunningWorker> {
  const options = env.options(redis);
  const settings = { ...options.settings, reconcileMs: 50 };
  const worker = await startWorker({ ...options, settings, clock, redis: { kind: 'url', url } });
  onTestFinished(() => worker.close());
  return worker;
}

test('after the documented restore of a backup that was taken under load, lanes that disagree are held, and nothing is done twice', async () => {
  const server = await startRedis();
  const env = await createWorkerEnvironment({ lanes, seed: slow(100) });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const worker = await start(env, server.url);
  for (const version of ['v1.1.0', 'v1.2.0', 'v9.0.0', 'v9.1.0']) await release(env, version);
  const done = (): readonly number[] =>
    ['/promotions', '/pipeline-executions'].map((one) => env.wire.count('POST', one));
  await pushed(env, worker, 'v9.0.0');
  await ended(worker, 'to-prod', 'v9.0.0');
  await pushed(env, worker, 'v1.1.0');
  await eventually(() => done()).toEqual([2, 2]);
  await server.backUp();
  await ended(worker, 'to-test', 'v1.1.0');
  await pushed(env, worker, 'v1.2.0');
  await ended(worker, 'to-test', 'v1.2.0');
  await worker.close();
  await server.restore();

  const [one, other] = [await start(env, server.url, later), await start(env, server.url, later)];
  await eventually(() => holdOf(one, 'to-test')).toMatch(/^state-older: .*v1\.2\.0 is live in test/);
  await pushed(env, other, 'v9.1.0');
  expect(await ended(one, 'to-prod', 'v9.1.0')).toMatchObject({ outcome: 'passed' });
  expect(await holdOf(one, 'to-prod')).toBeUndefined();
  expect(done()).toEqual([4, 4]);
});

test('after millrace worker restore every lane is held, also one whose hold is lost, and nothing is done twice', async () => {
  const server = await startRedis();
  const env = await createWorkerEnvironment({ lanes, seed: slow(100) });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const worker = await start(env, server.url);
  for (const version of ['v1.1.0', 'v1.2.0', 'v9.0.0', 'v9.1.0']) await release(env, version);
  const done = (): readonly number[] =>
    ['/promotions', '/pipeline-executions'].map((one) => env.wire.count('POST', one));
  await pushed(env, worker, 'v9.0.0');
  await ended(worker, 'to-prod', 'v9.0.0');
  await pushed(env, worker, 'v1.1.0');
  await eventually(() => done()).toEqual([2, 2]);
  const records = { address: { kind: 'url', url: server.url }, clock: later, prefix: env.prefix } as const;
  const file = path.join(server.folder, 'backup.ndjson');
  // A promotion is at work.
  await backUpRecords(records, file);
  await ended(worker, 'to-test', 'v1.1.0');
  expect(
    await askWorker(worker.url, `lanes/${laneId('to-prod')}/hold`, { reason: 'wrong figures' }),
  ).toMatchObject({ status: 200 });
  await worker.close();
  await restoreRecords(records, file, { reason: 'the disk was lost', replace: true, dryRun: false });

  const [one, other] = [await start(env, server.url, later), await start(env, server.url, later)];
  for (const lane of ['to-test', 'to-prod']) expect(await holdOf(one, lane)).toMatch(/the disk was lost/);
  await pushed(env, other, 'v9.1.0');
  await pushed(env, other, 'v1.2.0');
  await eventually(async () => (await promotionsOf(one.url, 'to-prod'))[0]).toMatchObject({
    version: 'v9.1.0',
    state: 'queued',
  });
  await resumeLane(one, 'to-prod');
  expect(await ended(one, 'to-prod', 'v9.1.0')).toMatchObject({ outcome: 'passed' });
  expect(await holdOf(one, 'to-test')).toMatch(/the disk was lost/);
  expect(done()).toEqual([3, 3]);
});
