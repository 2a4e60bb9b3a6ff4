import { randomUUID } from 'node:crypto';
import { type Job, Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { createUnfinishedTries } from '../../worker/store/jobs/unfinished-tries.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  askWorker,
  deliver,
  createWorkerEnvironment,
  type WorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

function queueOf(env: WorkerEnvironment, name: string): Queue {
  const queue = new Queue(name, { connection: redis.connect(), prefix: env.prefix });
  onTestFinished(() => queue.close());
  return queue;
}

/** Has a job come now; on a slow machine its time has come by itself in the meantime. */
async function hurry(job: Job | undefined): Promise<void> {
  await job?.promote().catch(() => undefined);
}

interface Letters {
  readonly deadLetters: readonly { id: string; queue: string; kind: string; cause: string }[];
}

test.each([
  ['another kind', 'rehearse', { promotionId: 'x' }],
  ['a newer form', 'advance', { promotionId: 'x', form: 2 }],
])('a job of %s is left for the worker that knows it', async (_, name, data) => {
  const { env } = await createTestEnvironment(redis, { lanes: toTest });
  const queue = queueOf(env, 'promotion');
  const job = await queue.add(name, data, { jobId: 'from-the-future', removeOnComplete: true });
  await eventually(() => job.getState()).toBe('delayed');
  expect((await queue.getJob('from-the-future'))?.data).toEqual(data);
});

test('a promotion in a step that this version does not know is left as it is', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  // The execution runs until the step is the known one again.
  env.platform.clock.freeze();
  await pushed(env, worker, 'v1.0.0');
  const records = redis.connect();
  let id = '';
  await eventually(async () => {
    [id = ''] = await records.smembers(`${env.prefix}:open`);
    return records.hget(`${env.prefix}:promotion:${id}`, 'step');
  }).toContain('watch');
  const step = await records.hget(`${env.prefix}:promotion:${id}`, 'step');
  await records.hset(`${env.prefix}:promotion:${id}`, 'step', '{"name":"ponder"}');
  const promotions = queueOf(env, 'promotion');
  // Put aside for ten seconds; between two looks it waits a fraction of one.
  await eventually(async () => (await promotions.getJob(`r-${id}`))?.delay).toBeGreaterThan(5_000);
  expect(await records.hget(`${env.prefix}:promotion:${id}`, 'step')).toBe('{"name":"ponder"}');
  expect(await records.hget(`${env.prefix}:promotion:${id}`, 'state')).toBe('active');
  // A worker that knows the step completes it, and this one continues from there.
  await records.hset(`${env.prefix}:promotion:${id}`, 'step', step ?? '');
  env.platform.clock.resume();
  await promotions.getJob(`r-${id}`).then((found) => found?.promote());
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a push whose ingest keeps failing becomes a dead letter, and a replay ingests it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  env.github.interfere(() => ({ status: 502, body: { message: 'bad gateway' } }));
  const given = await env.push('refs/tags/v1.0.0');
  // So many tries were made before that this is the last.
  const ingest = queueOf(env, 'ingest');
  expect(await deliver(worker.url, given)).toMatchObject({ status: 202 });
  const [id] = await eventually(async () => (await ingest.getDelayed()).length)
    .toBe(1)
    .then(async () => (await ingest.getDelayed()).map((job) => job.id ?? ''));
  const job = await ingest.getJob(id ?? '');
  await redis.connect().hset(`${env.prefix}:ingest:${id}`, 'atm', '4499');
  await hurry(job);
  const letters = async () => (await askWorker<Letters>(worker.url, 'dead-letters')).body.deadLetters;
  await eventually(async () => (await letters()).length).toBe(1);
  const [letter] = await letters();
  expect(letter).toMatchObject({ queue: 'ingest', kind: 'exhausted' });
  expect(letter?.cause).toContain('GitHub');

  env.github.interfere(undefined);
  const path = `dead-letters/${encodeURIComponent(letter?.id ?? '')}/replay`;
  expect(await askWorker(worker.url, path, {})).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await letters()).toEqual([]);
  expect(await askWorker(worker.url, path, {})).toMatchObject({ status: 404 });
});

test('a report that killed too many workers becomes one dead letter, and a replay sends it', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await release(env, 'v1.0.0');
  env.github.interfere(({ path }) =>
    path.includes('/statuses/') ? { status: 502, body: { message: 'bad gateway' } } : undefined,
  );
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const records = redis.connect();
  const reports = queueOf(env, 'report');
  const waiting = async () => (await reports.getDelayed()).filter(({ name }) => name === 'report');
  // All of them put aside for seconds after a failure: one that is about to come would come between the next lines.
  await eventually(async () => {
    const all = await reports.getJobs(['delayed', 'wait', 'active']);
    return all.filter(({ name }) => name === 'report').map(({ delay }) => delay > 1_000);
  }).toSatisfy((rest: readonly boolean[]) => rest.length > 0 && rest.every(Boolean));
  for (const job of await waiting()) {
    // As after so many workers that ended with the job in their hands.
    await records.hset(`${env.prefix}:report:${job.id}`, 'stc', '99');
    await records.set(`${env.prefix}:unfinished:report:${job.id}`, '99');
    await job.promote();
  }
  const letters = async () => (await askWorker<Letters>(worker.url, 'dead-letters')).body.deadLetters;
  await eventually(async () => (await letters()).length).toBeGreaterThan(0);
  await eventually(async () => (await waiting()).length).toBe(0);
  env.github.interfere(undefined);
  const [letter] = await letters();
  expect(letter).toMatchObject({ queue: 'report', kind: 'poison' });
  const path = `dead-letters/${encodeURIComponent(letter?.id ?? '')}/replay`;
  expect(await askWorker(worker.url, path, {})).toMatchObject({ status: 202 });
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^success/);
  expect(await letters()).not.toContainEqual(letter);
});

test('a push whose lock was lost often is still ingested as long as no worker died', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  env.github.interfere(() => ({ status: 502, body: { message: 'bad gateway' } }));
  expect(await deliver(worker.url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  const ingest = queueOf(env, 'ingest');
  const waiting = async () => (await ingest.getDelayed()).filter(({ name }) => name === 'push');
  await eventually(async () => (await waiting()).length).toBe(1);
  env.github.interfere(undefined);
  for (const job of await waiting()) {
    // What BullMQ counts where Redis was away for longer than a lock lives, and never forgets.
    await redis.connect().hset(`${env.prefix}:ingest:${job.id}`, 'stc', '99');
    await hurry(job);
  }
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect((await askWorker<Letters>(worker.url, 'dead-letters')).body.deadLetters).toEqual([]);
});

test('a try counts as unfinished as long as it lasts, and no longer, whether it ends well or not', async () => {
  const tries = createUnfinishedTries(redis.connect(), `{t-${randomUUID()}}`);
  const count = () => tries.count('ingest', 'b-1');
  const held = Promise.withResolvers<void>();
  expect(await count()).toBe(0);
  const lasting = tries.within('ingest', 'b-1', () => held.promise);
  await eventually(count).toBe(1);
  held.reject(new Error('GitHub does not answer'));
  await expect(lasting).rejects.toThrow('GitHub');
  expect(await count()).toBe(0);
  expect(await tries.within('ingest', 'b-1', count)).toBe(1);
  expect(await count()).toBe(0);
});

test('a queue that delivers no jobs makes the liveness check of its process fail until it works again', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const worker = await startWorker({
    ...options,
    settings: { ...options.settings, canaryMs: 100, canaryLimitMs: 1_500, stopWithinMs: 200 },
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const livez = async () => (await fetch(`${worker.url}/livez`)).status;
  await eventually(livez).toBe(200);
  await queueOf(env, 'report').pause();
  await eventually(livez).toBe(503);
  await queueOf(env, 'report').resume();
  await eventually(livez).toBe(200);
  expect(await (await fetch(`${worker.url}/livez`)).json()).toEqual({ live: true });
});
