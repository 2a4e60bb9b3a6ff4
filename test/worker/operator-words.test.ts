import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningWorker, startWorker } from '../../worker/app/start-worker.ts';
import { keysUnder } from '../../worker/store/scripts/keys.ts';
import { testRedis } from '../environment/redis.ts';
import { takeSnapshot } from '../environment/redis-snapshot.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  ended,
  holdOf,
  laneId,
  pushed,
  release,
  resumeLane,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  createWorkerEnvironment,
  promotionsOf,
  type WorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

interface Trial {
  readonly env: WorkerEnvironment;
  /** Starts a worker; `folder`: its state directory. */
  start(folder?: string): Promise<RunningWorker>;
  folder(): string;
  /** All workers are gone, and Redis comes back with the state of the snapshot. */
  snapshot(): Promise<() => Promise<void>>;
  /** Nobody waits any longer for workers that ran before. */
  waitingEnds(): Promise<void>;
}

async function createTrial(): Promise<Trial> {
  const env = await createWorkerEnvironment({ lanes: toTest });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const [connection, { epoch }] = [redis.connect(), keysUnder(env.prefix)];
  return {
    env,
    async start(folder) {
      const options = env.options(redis);
      const settings = { ...options.settings, reconcileMs: 50, sweepTickMs: 50 };
      const worker = await startWorker({ ...options, settings, stateDirectory: folder });
      onTestFinished(() => worker.close());
      return worker;
    },
    folder() {
      const folder = mkdtempSync(path.join(tmpdir(), 'millrace-state-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    async snapshot() {
      const restore = await takeSnapshot(connection, env.prefix);
      return async () => {
        await restore();
        // Another process has the state: the server of this test was not restarted.
        await connection.hset(epoch, 'run', 'another', 'journalsRun', 'another');
      };
    },
    async waitingEnds() {
      for (const field of ['since', 'journalsSince']) await connection.hincrby(epoch, field, -10_000);
    },
  };
}

/** Two workers with journals, and a lane that has promoted v1.0.0. */
async function twoWorkers() {
  const trial = await createTrial();
  const folders = [trial.folder(), trial.folder()] as const;
  const workers = [await trial.start(folders[0]), await trial.start(folders[1])] as const;
  await release(trial.env, 'v1.0.0');
  await pushed(trial.env, workers[0], 'v1.0.0');
  await ended(workers[0], 'to-test', 'v1.0.0');
  return { ...trial, folders, workers };
}

async function closeAll(workers: readonly RunningWorker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.close()));
}

const sent = (env: WorkerEnvironment): number => env.wire.count('POST', '/promotions');

test('a hold that all workers and Redis forgot holds the lane, although the worker that did not hear it starts first', async () => {
  const { env, start, snapshot, waitingEnds, folders, workers } = await twoWorkers();
  const restore = await snapshot();
  const answer = await askWorker(workers[0].url, `lanes/${laneId('to-test')}/hold`, { reason: 'figures' });
  expect(answer).toMatchObject({ status: 200, body: { durable: true } });
  await closeAll(workers);
  await restore();

  const other = await start(folders[1]);
  await release(env, 'v1.1.0');
  await pushed(env, other, 'v1.1.0');
  await eventually(async () => (await promotionsOf(other.url, 'to-test'))[0]).toMatchObject({
    version: 'v1.1.0',
    state: 'active',
    step: 'promote',
  });
  await waitingEnds();
  await eventually(() => holdOf(other, 'to-test')).toMatch(/^journal-missing: .*start every worker/);
  expect(sent(env)).toBe(1);

  const first = await start(folders[0]);
  await eventually(() => holdOf(first, 'to-test')).toMatch(
    /^state-older: .*“hold by worker-token: figures” is lost/,
  );
  expect(sent(env)).toBe(1);
  await resumeLane(first, 'to-test');
  expect(await ended(first, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
});

test('lanes that nobody stopped continue once each worker that ran before has compared its journal', async () => {
  const { env, start, snapshot, waitingEnds, folders, workers } = await twoWorkers();
  const restore = await snapshot();
  await closeAll(workers);
  await restore();
  const [one, other] = [await start(folders[0]), await start(folders[1])];
  await waitingEnds();
  await release(env, 'v1.1.0');
  await pushed(env, other, 'v1.1.0');
  expect(await ended(one, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  expect(await holdOf(one, 'to-test')).toBeUndefined();
});
