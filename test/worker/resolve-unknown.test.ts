import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  failing,
  holdOf,
  loseStart,
  pushed,
  release,
  toTest,
} from '../environment/worker/lanes-at-work.ts';
import { eventually } from '../environment/worker/eventually.ts';
import {
  askWorker,
  projectId,
  type ShownPromotion,
  createWorkerEnvironment,
  type WorkerEnvironmentOptions,
} from '../environment/worker/worker-environment.ts';

const redis = testRedis();

/** A promotion whose start was sent, with an unknown outcome. */
async function lostStart() {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const commit = await release(env, 'v1.0.0');
  return { env, worker, commit, ...resolverOf(worker, await loseStart(env, worker, 'v1.0.0')) };
}

test('an operator who found the execution gives its id: the promotion watches it to its end, and nothing is started', async () => {
  const { env, worker, commit, resolve, outcome } = await lostStart();
  // What an operator sees on the platform.
  const started = env.platform.ledger({ operation: 'executions.start' });
  expect(started).toHaveLength(1);
  expect(await resolve({ executionId: started[0]?.subject.id, reason: 'found by its tag' })).toMatchObject({
    status: 202,
  });
  await eventually(outcome).toBe('passed');
  expect(env.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  await eventually(() => env.status(commit, 'millrace/to-test')).toMatch(/^success/);
  expect(await resolve({ happened: false })).toMatchObject({ status: 409 });
});

test('the verdict that nothing was started starts it once', async () => {
  const { env, resolve, outcome } = await lostStart();
  expect(await resolve({ happened: false })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
  expect(env.wire.count('POST', '/pipeline-executions')).toBeGreaterThanOrEqual(2);
});

test('a verdict that fits no start is refused, and the promotion stays as it is', async () => {
  const { resolve, outcome } = await lostStart();
  const nothing = {};
  const withoutExecution = { happened: true };
  for (const body of [nothing, withoutExecution, { executionId: '../../projects' }, { happened: 'no' }]) {
    expect(await resolve(body)).toMatchObject({ status: 400 });
  }
  expect(await outcome()).toBe('indeterminate');
});

test('an execution id that the platform does not know is refused, and nothing has changed', async () => {
  const { worker, promotion, resolve, outcome } = await lostStart();
  const before = await askWorker<ShownPromotion>(worker.url, `promotions/${promotion.id}`);
  expect(await resolve({ executionId: 'bogus' })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(`execution bogus in project ${projectId}`) },
  });
  expect((await askWorker(worker.url, `promotions/${promotion.id}`)).body).toEqual(before.body);
  expect(await outcome()).toBe('indeterminate');
  expect(await holdOf(worker, 'to-test')).toContain('for an execution with the tag');
});

test('without an answer of the platform a verdict gets 502 and changes nothing', async () => {
  const { env, promotion, worker, resolve, outcome } = await lostStart();
  const id = env.platform.ledger({ operation: 'executions.start' })[0]?.subject.id;
  env.wire.interfere(() => 'lose');
  expect(await resolve({ executionId: id })).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('the platform could not be reached') },
  });
  expect(await outcome()).toBe('indeterminate');
  const { body } = await askWorker<ShownPromotion>(worker.url, `promotions/${promotion.id}`);
  expect(body.history?.map(({ what }) => what)).not.toContain('verdict');
});

test('an execution that another promotion started is refused, and names that promotion', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const first = await ended(worker, 'to-test', 'v1.0.0');
  const id = env.platform.ledger({ operation: 'executions.start' })[0]?.subject.id ?? '';
  await release(env, 'v1.1.0');
  const { resolve } = resolverOf(worker, await loseStart(env, worker, 'v1.1.0'));
  expect(await resolve({ executionId: id })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(first.id) },
  });
});

test('an execution that began long before the promotion is refused, with both times', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  // An hour ahead of the platform: whatever runs there began before anything of the worker.
  const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
  const worker = await startWorker({ ...env.options(redis), clock });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  await release(env, 'v1.0.0');
  const lost = resolverOf(worker, await loseStart(env, worker, 'v1.0.0'));
  const start = { projectId, pipelineName: 'daily/load', environmentName: 'dev', executionTag: 'by-hand' };
  const { pipelineExecutionId: id } = await env.client.executions.start(start);
  const startedAt = async () =>
    (await env.client.executions.get({ projectId, pipelineExecutionId: id })).result.startedAt;
  await eventually(startedAt).toEqual(expect.any(String));
  expect(await lost.resolve({ executionId: id })).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/began at .*Z, before .*Z/) },
  });
  expect(await lost.outcome()).toBe('indeterminate');
});

test('an id and a yes or no at once are refused: one of them would not count', async () => {
  const { resolve, outcome } = await lostStart();
  expect(await resolve({ executionId: 'x', happened: false })).toMatchObject({ status: 400 });
  expect(await outcome()).toBe('indeterminate');
});

test('what would follow from a verdict is asked without changing anything', async () => {
  const { env, worker, promotion, outcome } = await lostStart();
  const id = env.platform.ledger({ operation: 'executions.start' })[0]?.subject.id ?? '';
  const ask = (query: string) => askWorker(worker.url, `promotions/${promotion.id}/resolve?${query}`);
  expect(await ask('executionId=bogus')).toMatchObject({ status: 409 });
  expect(await ask(`executionId=${id}`)).toMatchObject({ status: 200, body: { promotion: promotion.id } });
  expect(await ask('happened=maybe')).toMatchObject({ status: 400 });
  expect(await outcome()).toBe('indeterminate');
});

/** A promotion that was lost on its way: neither the answer nor the list tells the worker. */
async function lostPromotion() {
  const started = await createTestEnvironment(redis, { lanes: toTest });
  await release(started.env, 'v1.0.0');
  started.env.wire.interfere(({ path }) => (path.endsWith('/promotions') ? 'drop' : undefined));
  await pushed(started.env, started.worker, 'v1.0.0');
  const promotion = await ended(started.worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  started.env.wire.interfere(undefined);
  return { ...started, ...resolverOf(started.worker, promotion) };
}

test('a yes to a promotion that the list of the target does not show is refused; after a no it continues', async () => {
  const { resolve, outcome } = await lostPromotion();
  expect(await resolve({ happened: true })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('v1.0.0 is not among the artifacts of test') },
  });
  expect(await outcome()).toBe('indeterminate');
  expect(await resolve({ happened: false })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
});

test('a no to a promotion that the list of the target shows is refused; after a yes it continues', async () => {
  const { env, resolve, outcome } = await lostPromotion();
  const environments = { sourceEnvironmentName: 'dev', targetEnvironmentName: 'test' };
  await env.client.artifacts.promote({ projectId, ...environments, versionName: 'v1.0.0' });
  expect(await resolve({ happened: false })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('v1.0.0 is among the artifacts of test') },
  });
  expect(await resolve({ happened: true })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
});

test('a yes to an execution that the platform knows to have failed is refused, with its status', async () => {
  const { env, resolve, outcome } = await forgotten(failing('test'));
  env.wire.interfere(undefined);
  expect(await resolve({ happened: true })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('ended FAILED') },
  });
  expect(await outcome()).toBe('indeterminate');
  expect(await resolve({ happened: false })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('failed');
});

test('a no to an execution that succeeded on the platform is refused; with its id the promotion continues', async () => {
  const { env, id, resolve, outcome } = await forgotten();
  env.wire.interfere(undefined);
  expect(await resolve({ happened: false })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('ended SUCCESS') },
  });
  expect(await resolve({ executionId: id })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
});

test('of an execution that the platform does not know a person’s word counts', async () => {
  const { resolve, outcome } = await forgotten();
  expect(await resolve({ happened: true })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
});

/** A promotion whose execution the platform does not know, as long as the wire hides it. */
async function forgotten(seed: WorkerEnvironmentOptions['seed'] = {}) {
  const started = await createTestEnvironment(redis, { lanes: toTest, seed });
  await release(started.env, 'v1.0.0');
  started.env.wire.interfere(({ path, method }) =>
    method === 'GET' && path.includes('/pipeline-executions/') ? 'forget' : undefined,
  );
  await pushed(started.env, started.worker, 'v1.0.0');
  const promotion = await ended(started.worker, 'to-test', 'v1.0.0');
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  const id = started.env.platform.ledger({ operation: 'executions.start' })[0]?.subject.id ?? '';
  // Ended by now, as the platform itself sees it.
  const status = async () =>
    (await started.env.client.executions.get({ projectId, pipelineExecutionId: id })).result.finishedAt;
  await eventually(status).toEqual(expect.any(String));
  return { ...started, id, ...resolverOf(started.worker, promotion) };
}

function resolverOf(worker: { url: string }, promotion: ShownPromotion) {
  return {
    promotion,
    resolve: (body: unknown) => askWorker(worker.url, `promotions/${promotion.id}/resolve`, body),
    outcome: async () =>
      (await askWorker<ShownPromotion>(worker.url, `promotions/${promotion.id}`)).body.outcome,
  };
}
