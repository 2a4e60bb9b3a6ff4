import { expect, onTestFinished, test } from 'vitest';
import { type RunningWorker, startWorker } from '../../worker/start-worker.ts';
import { laneTag } from '../../worker/run/steps/start.ts';
import { testRedis } from '../redis.ts';
import {
  askWorker,
  deliver,
  projectFile,
  projectId,
  runsOf,
  type ShownRun,
  surroundings,
  type Surroundings,
  type Wishes,
} from './surroundings.ts';

const redis = testRedis();

const toTest = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: rollback
`;
const twoLanes = `${toTest}
  - name: to-prod
    after: to-test
    from: test
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: rollback
`;
const slow = (ms: number) => ({ executions: [{ pipeline: 'daily/load', component: 'Load', after: ms }] });
const once = (ms: number) => ({
  executions: [{ pipeline: 'daily/load', component: 'Load', after: ms, times: 1 }],
});
/** The first so many executions fail. */
const failing = (environment: string, times = 1) => ({
  executions: [
    {
      pipeline: 'daily/load',
      component: 'Load',
      environment,
      outcome: 'failure' as const,
      message: 'no such table',
      times,
    },
  ],
});

async function begin(wishes: Partial<Wishes> = {}): Promise<{ around: Surroundings; worker: RunningWorker }> {
  const around = await surroundings({ lanes: twoLanes, ...wishes });
  const worker = await startWorker(around.options(redis));
  onTestFinished(async () => {
    await worker.close();
    await around[Symbol.asyncDispose]();
  });
  return { around, worker };
}

/** A release: a commit, its tag, its artifact; gives the commit. */
async function release(around: Surroundings, version: string): Promise<string> {
  const commit = await tagged(around, version);
  await around.publish(version, commit);
  return commit;
}

async function tagged(around: Surroundings, version: string): Promise<string> {
  const commit = await around.repository.commit('main', { 'notes.txt': version });
  await around.repository.tag(version, commit);
  return commit;
}

async function pushed(around: Surroundings, worker: RunningWorker, version: string): Promise<void> {
  expect(await deliver(worker.url, await around.push(`refs/tags/${version}`))).toMatchObject({ status: 202 });
}

/** The newest run of a lane once it is over. */
async function ended(worker: RunningWorker, lane: string, version: string): Promise<ShownRun> {
  const find = async () =>
    (await runsOf(worker.url, lane)).find((run) => run.version === version && run.state === 'finished');
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  const run = await find();
  if (run === undefined) throw new Error('the run is gone');
  return (await askWorker<ShownRun>(worker.url, `runs/${run.id}`)).body;
}

async function holdOf(worker: RunningWorker, lane: string): Promise<string | undefined> {
  const { body } = await askWorker<{ lanes: { id: string; name: string; hold: { why: string } | null }[] }>(
    worker.url,
    'lanes',
  );
  return body.lanes.find(({ name }) => name === lane)?.hold?.why;
}

const laneId = (name: string): string => encodeURIComponent(`77/${projectId}/${name}`);

test('a pushed tag travels from dev to test to prod, verified in each, and GitHub is told the end of each lane once', async () => {
  const { around, worker } = await begin();
  const commit = await release(around, 'v1.0.0');
  expect(await deliver(worker.url, await around.push('refs/tags/v1.0.0'))).toEqual({
    status: 202,
    fate: 'accepted',
  });

  await ended(worker, 'to-prod', 'v1.0.0');
  await expect.poll(() => around.status(commit, 'millrace/to-prod'), { timeout: 10_000 }).toMatch(/^success/);
  await expect.poll(() => around.status(commit, 'millrace/to-test'), { timeout: 10_000 }).toMatch(/^success/);
  expect(around.status(commit, 'millrace/to-test')).toBe(
    'success: v1.0.0 is live in test, verified by 1 execution',
  );
  expect(await around.versions('prod')).toEqual(['v1.0.0']);
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(2);
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(2);
  const ends = around.github
    .repository('example/warehouse')
    .statuses.filter(({ state }) => state !== 'pending');
  expect(ends.map(({ context }) => context).toSorted()).toEqual(['millrace/to-prod', 'millrace/to-test']);
});

test('an execution bears the lane’s stable tag and the version that was promoted', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const start = around.wire.calls.find(
    ({ path, method }) => method === 'POST' && path.endsWith('/pipeline-executions'),
  );
  expect(JSON.parse(start?.body ?? '{}')).toEqual({
    pipelineName: 'daily/load',
    environmentName: 'test',
    versionName: 'v1.0.0',
    executionTag: laneTag({ project: projectId, to: 'test', name: 'to-test' }, 'daily/load'),
  });
});

test('a tag that comes before its release is published waits for the artifact', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  const commit = await tagged(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await expect
    .poll(() => around.status(commit, 'millrace/to-test'))
    .toBe('pending: Waiting for v1.0.0 in dev');
  await around.publish('v1.0.0', commit);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a second delivery, also under a new id, makes no second run', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  await release(around, 'v1.0.0');
  const first = await around.push('refs/tags/v1.0.0');
  expect(await deliver(worker.url, first)).toMatchObject({ status: 202 });
  expect(await deliver(worker.url, first)).toEqual({ status: 200, fate: 'duplicate' });
  const renamed = { ...first, headers: { ...first.headers, 'x-github-delivery': 'another-id' } };
  expect(await deliver(worker.url, renamed)).toEqual({ status: 200, fate: 'duplicate' });
  await ended(worker, 'to-test', 'v1.0.0');
  // Another body about the same head: taken in, but the lane knows the head.
  const other = await around.push('refs/tags/v1.0.0', 'f'.repeat(40));
  expect(await deliver(worker.url, other)).toMatchObject({ status: 202 });
  await expect
    .poll(() => around.github.requests.filter(({ path }) => path === '/repositories/77').length)
    .toBe(2);
  expect(await runsOf(worker.url, 'to-test')).toHaveLength(1);
});

test('ten deliveries of one push at once make one run', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  await release(around, 'v1.0.0');
  const one = await around.push('refs/tags/v1.0.0');
  const all = await Promise.all(Array.from({ length: 10 }, () => deliver(worker.url, one)));
  expect(all.every(({ status }) => status === 202 || status === 200)).toBe(true);
  await ended(worker, 'to-test', 'v1.0.0');
  expect(await runsOf(worker.url, 'to-test')).toHaveLength(1);
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a failed verification rolls back to the version before, and prod never sees it', async () => {
  const { around, worker } = await begin({ seed: failing('test') });
  const before = await release(around, 'v0.9.0');
  await around.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v0.9.0',
  });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');

  const run = await ended(worker, 'to-test', 'v1.0.0');
  expect(run.outcome).toBe('failed');
  expect(run.message).toContain('rolled back to v0.9.0');
  expect(await around.versions('test')).toEqual(['!v1.0.0', 'v0.9.0']);
  expect(await around.versions('prod')).toEqual([]);
  await expect
    .poll(() => around.status(commit, 'millrace/to-test'))
    .toMatch(/^failure: Rolled back to v0\.9\.0: v1\.0\.0 failed, daily\/load ended FAILED/);
  expect(await runsOf(worker.url, 'to-prod')).toEqual([]);
  // The lane is free: the next version may come.
  expect(await holdOf(worker, 'to-test')).toBeUndefined();
  expect(before).not.toBe(commit);
});

test('without an earlier version nothing is disabled, and the lane is held with the reason', async () => {
  const { around, worker } = await begin({ seed: failing('test'), lanes: toTest });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'failed' });
  expect(await around.versions('test')).toEqual(['v1.0.0']);
  expect(await holdOf(worker, 'to-test')).toContain('no earlier enabled version');
});

test('a held lane takes versions in and does nothing with them until it is released', async () => {
  const { around, worker } = await begin({
    seed: failing('test'),
    lanes: toTest.replace('on-failure: rollback', 'on-failure: hold'),
  });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  expect(await holdOf(worker, 'to-test')).toContain('v1.0.0 failed in test');

  const commit = await release(around, 'v1.1.0');
  await pushed(around, worker, 'v1.1.0');
  await expect
    .poll(() => around.status(commit, 'millrace/to-test'))
    .toBe('pending: Waiting: the lane is on hold');
  expect(await around.versions('test')).toEqual(['v1.0.0']);
  expect(await askWorker(worker.url, `lanes/${laneId('to-test')}/release`, {})).toMatchObject({
    status: 200,
  });
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
});

test('where somebody else’s execution has the tag, the lane waits for its end and then runs its own', async () => {
  const { around, worker } = await begin({ lanes: toTest, seed: slow(700) });
  const commit = await release(around, 'v1.0.0');
  await around.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v1.0.0',
  });
  const other = await around.client.executions.start({
    projectId,
    pipelineName: 'daily/load',
    environmentName: 'test',
    executionTag: laneTag({ project: projectId, to: 'test', name: 'to-test' }, 'daily/load'),
  });
  await pushed(around, worker, 'v1.0.0');
  await expect
    .poll(() => around.status(commit, 'millrace/to-test'))
    .toBe('pending: Waiting: daily/load is running in test');
  const run = await ended(worker, 'to-test', 'v1.0.0');
  expect(run.outcome).toBe('passed');
  const whats = run.history?.map(({ what }) => what) ?? [];
  expect(whats).toContain('tag-busy');
  expect(whats.filter((what) => what === 'started')).toHaveLength(1);
  // What was there already is not promoted again.
  expect(whats).toContain('already-there');
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(0);
  expect(other.pipelineExecutionId).toBeDefined();
});

test('a promotion whose answer is lost is looked up, not sent again', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  await release(around, 'v1.0.0');
  around.wire.interfere(({ path }) => (path.endsWith('/promotions') ? 'lose' : undefined));
  await pushed(around, worker, 'v1.0.0');
  const run = await ended(worker, 'to-test', 'v1.0.0');
  expect(run.outcome).toBe('passed');
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(1);
  expect(run.history?.map(({ what }) => what)).toContain('promotion-found');
});

test('a start whose answer is lost is never sent again: the run is indeterminate and holds its lane', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  const commit = await release(around, 'v1.0.0');
  around.wire.interfere(({ path, method }) =>
    method === 'POST' && path.endsWith('/pipeline-executions') ? 'lose' : undefined,
  );
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'indeterminate' });
  expect(around.wire.count('POST', '/pipeline-executions')).toBe(1);
  expect(await holdOf(worker, 'to-test')).toContain('look for an execution with the tag');
  await expect.poll(() => around.status(commit, 'millrace/to-test')).toMatch(/^error: Not known/);
});

test('a retry of an indeterminate run, after the release of its lane, is a run of its own', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  await release(around, 'v1.0.0');
  around.wire.interfere(({ path, method }) =>
    method === 'POST' && path.endsWith('/pipeline-executions') ? 'lose' : undefined,
  );
  await pushed(around, worker, 'v1.0.0');
  const first = await ended(worker, 'to-test', 'v1.0.0');
  around.wire.interfere(undefined);
  await askWorker(worker.url, `lanes/${laneId('to-test')}/release`, {});
  const retry = await askWorker<{ run: string }>(worker.url, `runs/${first.id}/retry`, {});
  expect(retry.status).toBe(202);
  await expect
    .poll(async () => (await askWorker<ShownRun>(worker.url, `runs/${retry.body.run}`)).body.outcome, {
      timeout: 10_000,
    })
    .toBe('passed');
});

test('of many tags that wait, latest runs the newest only, and the others are seen to be superseded', async () => {
  const { around, worker } = await begin({ lanes: toTest, seed: once(4_000) });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await around.wire.until('POST', '/pipeline-executions', 1);
  const second = await release(around, 'v1.1.0');
  await pushed(around, worker, 'v1.1.0');
  await expect.poll(() => runsOf(worker.url, 'to-test')).toHaveLength(2);
  await release(around, 'v1.2.0');
  await pushed(around, worker, 'v1.2.0');

  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'superseded' });
  expect(await ended(worker, 'to-test', 'v1.2.0')).toMatchObject({ outcome: 'passed' });
  expect(await around.versions('test')).toEqual(['v1.2.0', 'v1.0.0']);
  await expect
    .poll(() => around.status(second, 'millrace/to-test'))
    .toBe('success: Superseded by v1.2.0; nothing was promoted');
});

test('every runs each version in turn', async () => {
  const { around, worker } = await begin({
    lanes: toTest.replace('to: test', 'to: test\n    policy: every'),
    seed: slow(300),
  });
  for (const version of ['v1.0.0', 'v1.1.0', 'v1.2.0']) {
    await release(around, version);
    await pushed(around, worker, version);
    await expect
      .poll(async () => (await runsOf(worker.url, 'to-test')).some((run) => run.version === version))
      .toBe(true);
  }
  await ended(worker, 'to-test', 'v1.2.0');
  expect((await runsOf(worker.url, 'to-test')).map(({ outcome }) => outcome)).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
  expect(await around.versions('test')).toEqual(['v1.2.0', 'v1.1.0', 'v1.0.0']);
});

test('cancel terminates the running execution on the platform, then the newer version goes', async () => {
  const { around, worker } = await begin({
    lanes: toTest.replace('to: test', 'to: test\n    policy: cancel'),
    seed: once(60_000),
  });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await around.wire.until('POST', '/pipeline-executions', 1);
  await release(around, 'v1.1.0');
  await pushed(around, worker, 'v1.1.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'cancelled' });
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
  expect(
    around.wire.calls.filter(
      ({ method, path }) => method === 'PATCH' && path.includes('/pipeline-executions/'),
    ),
  ).toHaveLength(1);
});

test('an operator’s cancel reaches the platform', async () => {
  const { around, worker } = await begin({ lanes: toTest, seed: slow(60_000) });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await around.wire.until('POST', '/pipeline-executions', 1);
  const [run] = await runsOf(worker.url, 'to-test');
  expect(await askWorker(worker.url, `runs/${run?.id ?? ''}/cancel`, {})).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({
    outcome: 'cancelled',
    message: 'cancelled by an operator; v1.0.0 stays in test without a verification',
  });
});

test('a verification that takes too long is terminated and counts as failed', async () => {
  const { around, worker } = await begin({
    lanes: toTest.replace('timeout: 1m', 'timeout: 1s'),
    seed: slow(60_000),
  });
  await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  const run = await ended(worker, 'to-test', 'v1.0.0');
  expect(run.outcome).toBe('failed');
  expect(run.message).toContain('did not end in time');
  expect(run.history?.map(({ what }) => what)).toContain('terminated');
});

test('a tag whose commit is on no allowed branch starts nothing, and the commit says why', async () => {
  const { around, worker } = await begin();
  const commit = await around.repository.commit('feature/x', { 'notes.txt': 'x' }, { from: 'main' });
  await around.repository.tag('v9.0.0', commit);
  await around.publish('v9.0.0', commit);
  await pushed(around, worker, 'v9.0.0');
  await expect
    .poll(() => around.status(commit, 'millrace/policy'), { timeout: 10_000 })
    .toMatch(/^error: worker\.yaml does not allow it: the commit of tag "v9\.0\.0" is on none/);
  expect(await runsOf(worker.url, 'to-test')).toEqual([]);
  expect(around.wire.calls).toEqual([]);
});

test('an environment that worker.yaml does not name is denied', async () => {
  const { around, worker } = await begin({
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
`,
  });
  const commit = await release(around, 'v1.0.0');
  await pushed(around, worker, 'v1.0.0');
  await expect
    .poll(() => around.status(commit, 'millrace/policy'), { timeout: 10_000 })
    .toContain('environment "prod" is not in `environments`');
  expect(around.wire.calls).toEqual([]);
});

test('a push that changes millrace.yaml runs under the file that was there before', async () => {
  const { around, worker } = await begin({
    lanes: toTest.replace('tags: ["v*"]', 'branches: [main]'),
  });
  const before = (await around.repository.commit('main', { 'notes.txt': 'before' })).trim();
  const wider = projectFile(toTest.replace('tags: ["v*"]', 'branches: [main]').replaceAll('test', 'prod'));
  const commit = await around.repository.commit('main', { 'millrace.yaml': wider });
  await around.publish('v1.0.0', commit);
  expect(await deliver(worker.url, await around.push('refs/heads/main', before))).toMatchObject({
    status: 202,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await runsOf(worker.url, 'to-prod')).toEqual([]);
  expect(await around.versions('prod')).toEqual([]);
});

test('a tag on the commit that changed millrace.yaml runs under the file of its parent', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  const wider = projectFile(toTest.replaceAll('test', 'prod'));
  const commit = await around.repository.commit('main', { 'millrace.yaml': wider });
  await around.repository.tag('v1.0.0', commit);
  await around.publish('v1.0.0', commit);
  await pushed(around, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await around.versions('prod')).toEqual([]);
});

test('a branch that is reset to an older commit makes a new run', async () => {
  const { around, worker } = await begin({
    lanes: toTest
      .replace('tags: ["v*"]', 'branches: [main]')
      .replace('to: test', 'to: test\n    version: latest'),
  });
  const older = await around.repository.commit('main', { 'notes.txt': '1' });
  const newer = await around.repository.commit('main', { 'notes.txt': '2' });
  await around.publish('v1.0.0', newer);
  await deliver(worker.url, await around.push('refs/heads/main', older));
  await ended(worker, 'to-test', 'v1.0.0');
  const bare = around.github.repository('example/warehouse').git;
  await bare.git('update-ref', 'refs/heads/main', older);
  await deliver(worker.url, await around.push('refs/heads/main', newer));
  await expect.poll(() => runsOf(worker.url, 'to-test'), { timeout: 10_000 }).toHaveLength(2);
});

test('a tag whose push comes after that of a later commit is superseded, not deployed', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  const first = await release(around, 'v1.0.0');
  const late = await around.push('refs/tags/v1.0.0');
  await release(around, 'v1.1.0');
  await pushed(around, worker, 'v1.1.0');
  await ended(worker, 'to-test', 'v1.1.0');
  expect(await deliver(worker.url, late)).toMatchObject({ status: 202 });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'superseded' });
  expect(await around.versions('test')).toEqual(['v1.1.0']);
  await expect.poll(() => around.status(first, 'millrace/to-test')).toContain('Superseded by a newer commit');
});

test('a GitHub that fails for a while hears the end all the same, once', async () => {
  const { around, worker } = await begin({ lanes: toTest });
  const commit = await release(around, 'v1.0.0');
  let failed = 0;
  around.github.interfere(({ method, path }) => {
    if (method !== 'POST' || !path.includes('/statuses/') || failed > 0) return undefined;
    failed += 1;
    return { status: 502, body: { message: 'bad gateway' } };
  });
  await pushed(around, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await expect.poll(() => around.status(commit, 'millrace/to-test'), { timeout: 25_000 }).toMatch(/^success/);
  const ends = around.github
    .repository('example/warehouse')
    .statuses.filter(({ state }) => state === 'success');
  expect(ends).toHaveLength(1);
}, 40_000);
