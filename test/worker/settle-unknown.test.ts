import { expect, test } from 'vitest';
import { testRedis } from '../redis.ts';
import { begin, ended, holdOf, pushed, release, toTest } from './lanes-at-work.ts';
import { eventually } from './eventually.ts';
import { askWorker, type ShownRun } from './surroundings.ts';

const redis = testRedis();

/** A run whose start was sent, and nobody knows what became of it. */
async function lostStart() {
  const scene = await begin(redis, { lanes: toTest });
  const commit = await release(scene.around, 'v1.0.0');
  scene.around.wire.interfere(({ path, method }) =>
    method === 'POST' && path.endsWith('/pipeline-executions') ? 'lose' : undefined,
  );
  await pushed(scene.around, scene.worker, 'v1.0.0');
  const run = await ended(scene.worker, 'to-test', 'v1.0.0');
  expect(run).toMatchObject({ outcome: 'indeterminate' });
  scene.around.wire.interfere(undefined);
  const settle = (body: unknown) => askWorker(scene.worker.url, `runs/${run.id}/settle`, body);
  const outcome = async () => (await askWorker<ShownRun>(scene.worker.url, `runs/${run.id}`)).body.outcome;
  return { ...scene, commit, run, settle, outcome };
}

test('an operator who found the execution gives its id: the run watches it to its end, and nothing is started', async () => {
  const { around, worker, commit, settle, outcome } = await lostStart();
  // What an operator sees on the platform.
  const started = around.platform.ledger({ operation: 'executions.start' });
  expect(started).toHaveLength(1);
  expect(await settle({ executionId: started[0]?.subject.id, reason: 'found by its tag' })).toMatchObject({
    status: 202,
  });
  await eventually(outcome).toBe('passed');
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  await eventually(() => around.status(commit, 'millrace/to-test')).toMatch(/^success/);
  expect(await settle({ happened: false })).toMatchObject({ status: 409 });
});

test('an operator who says that nothing was started has it started, once', async () => {
  const { around, settle, outcome } = await lostStart();
  expect(await settle({ happened: false })).toMatchObject({ status: 202 });
  await eventually(outcome).toBe('passed');
  expect(around.wire.count('POST', '/pipeline-executions')).toBeGreaterThanOrEqual(2);
});

test('what settles no start is refused, and the run stays as it is', async () => {
  const { settle, outcome } = await lostStart();
  const nothing = {};
  const withoutExecution = { happened: true };
  for (const body of [nothing, withoutExecution, { executionId: '../../projects' }, { happened: 'no' }]) {
    expect(await settle(body)).toMatchObject({ status: 400 });
  }
  expect(await outcome()).toBe('indeterminate');
});
