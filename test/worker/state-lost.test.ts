import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  holdOf,
  resumeLane,
  pushed,
  release,
  tagged,
  toTest,
  twoLanes,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  askWorker,
  deliver,
  projectFile,
  promotionsOf,
  type WorkerEnvironment,
  createWorkerEnvironment,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

/** Takes away all that the worker has in Redis: its lanes, runs, jobs and the marker. */
async function lose(env: WorkerEnvironment): Promise<void> {
  const connection = redis.connect();
  await connection.del(...(await connection.keys(`${env.prefix}*`)));
}

test('after a loss of the records under a running worker all lanes are rebuilt on hold, with what is live', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: twoLanes }, { liveTickMs: 50 });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-prod', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  await lose(env);
  await eventually(() => holdOf(worker, 'to-prod')).toContain('state-lost');
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  interface Lanes {
    readonly lanes: { name: string; live: { version: string }; verified: unknown }[];
  }
  const facts = async () => {
    const { body } = await askWorker<Lanes>(worker.url, 'lanes');
    return body.lanes.map(({ name, live, verified }) => [name, live.version, verified]);
  };
  // The platform says what is live; that it was verified is lost.
  await eventually(facts).toEqual([
    ['to-prod', 'v1.0.0', null],
    ['to-test', 'v1.0.0', null],
  ]);

  // What is live in both is not verified again.
  const log = async () =>
    (await askWorker<{ deliveries: { ingestResult: string }[] }>(worker.url, 'deliveries')).body;
  await eventually(async () => (await log()).deliveries.map(({ ingestResult }) => ingestResult)).toContain(
    'its version was found live after the records were lost',
  );
  expect(await promotionsOf(worker.url, 'to-test')).toEqual([]);

  // What is pushed now waits, and continues when a person has resumed the lane.
  const calls = env.wire.count('POST', '/promotions');
  await release(env, 'v2.0.0');
  await pushed(env, worker, 'v2.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test')).length).toBe(1);
  expect(env.wire.count('POST', '/promotions')).toBe(calls);
  await resumeLane(worker, 'to-test');
  expect(await ended(worker, 'to-test', 'v2.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a push before the lanes are rebuilt is kept and promoted in a held lane', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  await lose(env);
  // GitHub cannot be asked for the lanes for a while, but answers about the push.
  let refused = 0;
  env.github.interfere(({ path }) => {
    if (!path.includes('/contents/') || refused > 2) return undefined;
    refused += 1;
    return { status: 502, body: { message: 'bad gateway' } };
  });
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test')).length).toBe(1);
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

const hotfixes = `
  - name: hotfix
    on: { push: { branches: [release] } }
    from: dev
    to: test
    version: commit
`;

const twoBranches = `
    branches: [main, release]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
`;

test.each(['below the tip of a branch', 'on the tip of a branch'])(
  'an annotated tag %s that was answered but not ingested is found again after a loss',
  async (place) => {
    const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
    const commit = await env.repository.commit('main', { 'notes.txt': 'v1.2.0' });
    await env.repository.tag('v1.2.0', commit, 'annotated');
    await env.publish('v1.2.0', commit);
    if (place.startsWith('below')) await env.repository.commit('main', { 'notes.txt': 'later' });
    // It cannot be ingested until the records are lost.
    env.github.interfere(({ path }) => (path.includes('/contents/') ? { status: 502 } : undefined));
    expect(await deliver(worker.url, await env.push('refs/tags/v1.2.0'))).toMatchObject({ status: 202 });
    await lose(env);
    env.github.interfere(undefined);
    await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.2.0');
  },
);

test('answered pushes without ingest are found again after a loss and enter held lanes of any branch', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, policy: twoBranches });
  await env.repository.commit('release', { 'millrace.yaml': projectFile(hotfixes) }, { from: 'main' });
  const fix = await env.repository.commit('release', { 'notes.txt': 'fixed' });
  for (const version of ['v1.0.0', 'v1.1.0', 'v1.2.0']) await release(env, version);
  // Answered, but GitHub cannot be asked for what is needed to take them in.
  env.github.interfere(({ path }) =>
    path.includes('/contents/') ? { status: 502, body: { message: 'bad gateway' } } : undefined,
  );
  for (const ref of ['refs/heads/release', 'refs/tags/v1.1.0', 'refs/tags/v1.2.0'])
    expect(await deliver(worker.url, await env.push(ref))).toMatchObject({ status: 202 });
  await lose(env);
  env.github.interfere(undefined);

  await eventually(async () => (await promotionsOf(worker.url, 'hotfix'))[0]).toMatchObject({
    state: 'queued',
    commit: fix,
  });
  // Whichever comes first: an older one ends as superseded.
  const newest = async () =>
    (await promotionsOf(worker.url, 'to-test')).find(({ version }) => version === 'v1.2.0');
  await eventually(newest).toMatchObject({ state: 'queued' });
  expect(await holdOf(worker, 'hotfix')).toContain('state-lost');
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

test.each([
  ['lost', 'state-lost'],
  ['new', undefined],
] as const)('an empty Redis at the start is %s where worker.yaml says so', async (emptyMeans, hold) => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const worker = await startWorker({ ...options, config: { ...options.config, 'empty-redis': emptyMeans } });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  await tagged(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test')).length).toBe(1);
  const found = await holdOf(worker, 'to-test');
  if (hold === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(hold);
});
