import { expect, onTestFinished, test } from 'vitest';
import { type RunningWorker, startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  failingSecond,
  laneId,
  pushed,
  release,
  slow,
  toTest,
} from '../../../environment/worker/lanes-at-work.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  askWorker,
  projectId,
  type WorkerEnvironment,
  workerToken,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();
const often = { liveTickMs: 20, liveMs: 100 };

interface Lane {
  readonly name: string;
  readonly live: {
    state: string;
    version: string | null;
    at: string | null;
    problem: { reason: string } | null;
  };
  readonly verified: { version: string } | null;
  readonly wanted: { version: string | null } | null;
  readonly outOfStep: boolean | null;
  readonly disagreements: readonly string[];
}

async function laneOf({ url }: { url: string }, name = 'to-test'): Promise<Lane | undefined> {
  const { body } = await askWorker<{ lanes: readonly Lane[] }>(url, 'lanes');
  return body.lanes.find((lane) => lane.name === name);
}

async function factsOf(worker: { url: string }, name?: string) {
  const lane = await laneOf(worker, name);
  return [lane?.live.version, lane?.verified?.version ?? null, lane?.wanted?.version, lane?.outOfStep];
}

/** The overview as a signed-in browser sees it, as text. */
/** The start page; `view`: its other view. */
async function overviewOf({ url }: RunningWorker, view = ''): Promise<() => Promise<string>> {
  const body = new URLSearchParams({ token: workerToken });
  const session = await fetch(`${url}/session`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { origin: url },
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async () => (await fetch(`${url}/${view}`, { headers: { cookie } })).text();
}

async function disable(env: WorkerEnvironment, versionName: string, enabled = false): Promise<void> {
  await env.client.artifacts.setEnabled({ projectId, environmentName: 'test', versionName, enabled });
}

const isList = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'GET' && path.split('?')[0]?.endsWith('/artifacts/') === true;

async function twoVersions(options: Parameters<typeof createTestEnvironment>[1] = {}) {
  const begun = await createTestEnvironment(redis, { lanes: toTest, ...options }, often);
  for (const version of ['v1.0.0', 'v1.1.0']) {
    await release(begun.env, version);
    await pushed(begun.env, begun.worker, version);
    await ended(begun.worker, 'to-test', version);
  }
  return begun;
}

test('after a version is disabled outside the worker its lane shows the live version and is out of step', async () => {
  const { env, worker } = await twoVersions();
  const see = await overviewOf(worker);
  await eventually(() => factsOf(worker)).toEqual(['v1.1.0', 'v1.1.0', 'v1.1.0', false]);
  expect(await see()).toContain('up to date');
  await disable(env, 'v1.1.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.1.0', 'v1.1.0', true]);
  expect((await laneOf(worker))?.disagreements).toEqual([
    'v1.0.0 is live in test, but this lane verified v1.1.0 last',
  ]);
  const page = await see();
  expect(page).toContain('out of step');
  expect(page).not.toContain('up to date');
  const { body } = await askWorker<{ history: { what: string; data: string }[] }>(
    worker.url,
    `lanes/${laneId('to-test')}`,
  );
  expect(body.history.at(-1)).toMatchObject({
    what: 'live-changed',
    data: '{"live":"v1.0.0","before":"v1.1.0","the one before":"disabled"}',
  });
  await disable(env, 'v1.1.0', true);
  await eventually(() => factsOf(worker)).toEqual(['v1.1.0', 'v1.1.0', 'v1.1.0', false]);
});

test('after a cancelled promotion the lane shows the live version, which is unverified', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest, seed: slow(600_000) }, often);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', null, 'v1.0.0', false]);
  const { body } = await askWorker<{ promotions: { id: string }[] }>(worker.url, 'promotions');
  await askWorker(worker.url, `promotions/${body.promotions[0]?.id ?? ''}/cancel`, {});
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'cancelled' });
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', null, undefined, true]);
  // What was cancelled is not wanted any more.
  expect(await laneOf(worker)).toMatchObject({ wanted: null });
});

test('a roll-back by the worker itself is shown at once, not only when the environment is due', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 3_600_000 },
  );
  for (const version of ['v1.0.0', 'v1.1.0']) {
    await release(env, version);
    await pushed(env, worker, version);
    await ended(worker, 'to-test', version);
  }
  await eventually(() => factsOf(worker)).toEqual(['v1.1.0', 'v1.1.0', 'v1.1.0', false]);
  const body = { reason: 'wrong figures' };
  expect(await askWorker(worker.url, `lanes/${laneId('to-test')}/roll-back`, body)).toMatchObject({
    status: 200,
  });
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.1.0', 'v1.1.0', true]);
  // The lane is on hold, and its row says all the same what is live and that it is out of step.
  const page = await (await overviewOf(worker, '?view=table'))();
  expect(page).toContain('<b class="version">v1.0.0</b>');
  expect(page).toMatch(/>on hold<\/span>\s*<span class="pill bad">out of step</);
});

test('the page shows a reported change until the platform has answered', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 3_600_000 },
  );
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0', false]);
  const hanging = Promise.withResolvers<undefined>();
  onTestFinished(() => hanging.resolve(undefined));
  env.wire.interfere((call) => (isList(call) ? hanging.promise : undefined));
  expect(await askWorker(worker.url, `lanes/${laneId('to-test')}/refresh`, {})).toMatchObject({
    status: 202,
  });
  const see = await overviewOf(worker);
  const page = await see();
  expect(page).toContain('may have changed, polling');
  expect(page).not.toContain('out of step');
  expect(page).not.toContain('up to date');
  hanging.resolve(undefined);
  await eventually(see).toContain('up to date');
});

test('a roll-back after a failed verification is shown at once, not only when the environment is due', async () => {
  const options = { lanes: toTest, seed: failingSecond('test') };
  const { env, worker } = await createTestEnvironment(redis, options, { liveTickMs: 20, liveMs: 3_600_000 });
  await release(env, 'v0.9.0');
  await pushed(env, worker, 'v0.9.0');
  await ended(worker, 'to-test', 'v0.9.0');
  await release(env, 'v1.0.0');
  // The verification is seen to fail only after its version was seen to be live.
  const shown = Promise.withResolvers<undefined>();
  onTestFinished(() => shown.resolve(undefined));
  env.wire.interfere(({ method, path }) =>
    method === 'GET' && path.includes('/pipeline-executions/') ? shown.promise : undefined,
  );
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v0.9.0', 'v1.0.0', false]);
  shown.resolve(undefined);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'failed' });
  await eventually(async () => (await laneOf(worker))?.live.version).toBe('v0.9.0');
});

/** The worker writes it into a promotion’s history that the answer to an effect was lost, or the effect refused. */
const isWritten = (worker: RunningWorker, what: string) => async (): Promise<boolean> => {
  const { body } = await askWorker<{ promotions: { id: string }[] }>(worker.url, 'promotions');
  const id = body.promotions[0]?.id ?? '';
  const shown = await askWorker<{ history: { what: string }[] }>(worker.url, `promotions/${id}`);
  return shown.body.history.some((entry) => entry.what === what);
};

test('a promotion that is found after its answer was lost is shown as live at once', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 3_600_000, unansweredMs: 100 },
  );
  await release(env, 'v1.0.0');
  let isAway = false;
  env.wire.interfere(async (call) => {
    if (call.path.endsWith('/promotions')) {
      await eventually(async () => (await laneOf(worker))?.live.at).toEqual(expect.any(String));
      isAway = true;
    }
    return isAway && call.path.includes('/artifacts') ? 'lose' : undefined;
  });
  await pushed(env, worker, 'v1.0.0');
  await eventually(isWritten(worker, 'answer-lost')).toBe(true);
  // What was asked in the meantime got no answer, and the next question is minutes away.
  await eventually(async () => (await laneOf(worker))?.live).toMatchObject({
    changedSince: true,
    problem: { reason: expect.any(String) },
  });
  isAway = false;
  env.wire.interfere(undefined);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0', false]);
});

test('while the platform hangs pages answer, and the last answer is shown with its time and the reason', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 100 },
  );
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0', false]);
  const hanging = Promise.withResolvers<undefined>();
  onTestFinished(() => hanging.resolve(undefined));
  const asked = Promise.withResolvers<undefined>();
  env.wire.interfere((call) => {
    if (!isList(call)) return undefined;
    asked.resolve(undefined);
    return hanging.promise;
  });
  await asked.promise;
  const see = await overviewOf(worker);
  expect(await see()).toContain('v1.0.0');
  const lane = await laneOf(worker);
  expect(lane?.live).toMatchObject({ state: 'version', version: 'v1.0.0' });
  expect(lane?.live.at).toMatch(/Z$/);
});

test('without an answer of the platform the lane shows that, and its agreement is unknown', async () => {
  const { env, worker } = await twoVersions();
  await eventually(() => factsOf(worker)).toEqual(['v1.1.0', 'v1.1.0', 'v1.1.0', false]);
  const answered = (await laneOf(worker))?.live.at;
  env.wire.interfere((call) => (isList(call) ? 'lose' : undefined));
  await eventually(async () => (await laneOf(worker))?.live.problem?.reason ?? '').not.toBe('');
  const lane = await laneOf(worker);
  expect(lane).toMatchObject({ outOfStep: null, live: { version: 'v1.1.0' } });
  expect(Date.parse(lane?.live.at ?? '')).toBeGreaterThanOrEqual(Date.parse(answered ?? ''));
  const page = await (await overviewOf(worker))();
  expect(page).toMatch(/no answer since <time/);
  expect(page).not.toContain('up to date');
  const table = await (await overviewOf(worker, '?view=table'))();
  expect(table).toContain('The platform has not answered since');
  expect(table).not.toContain('up to date');
});

test('lanes of one environment share one poll, and the lane that was passed by shows it', async () => {
  const lanes = `${toTest}
  - name: main-to-test
    on: { push: { branches: [main] } }
    from: dev
    to: test
    version: commit
`;
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes },
    { liveTickMs: 20, liveMs: 3_600_000 },
  );
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0', false]);
  const next = await env.repository.commit('main', { 'notes.txt': 'next' });
  await env.publish(`main-${next.slice(0, 8)}`, next);
  await fetchPush(worker, env, commit);
  const brought = `main-${next.slice(0, 8)}`;
  await ended(worker, 'main-to-test', brought);
  await eventually(() => factsOf(worker, 'main-to-test')).toEqual([brought, brought, brought, false]);
  expect(await factsOf(worker)).toEqual([brought, 'v1.0.0', 'v1.0.0', true]);
  const [one, other] = [await laneOf(worker), await laneOf(worker, 'main-to-test')];
  expect(one?.live.at).toBe(other?.live.at);
  expect(one).toMatchObject({ byAnotherLane: true });
});

async function fetchPush(worker: RunningWorker, env: WorkerEnvironment, before: string): Promise<void> {
  const { headers, body } = await env.push('refs/heads/main', before);
  expect((await fetch(`${worker.url}/webhooks/github`, { method: 'POST', headers, body })).status).toBe(202);
}

test('what is live in the target of a new lane is asked at once, before anything is promoted', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 3_600_000 },
  );
  const commit = await release(env, 'v0.9.0');
  await env.client.artifacts.promote({
    projectId,
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: 'v0.9.0',
  });
  // A tag whose release has yet to be published: its promotion waits.
  await env.repository.tag('v1.0.0', commit);
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v0.9.0', null, 'v1.0.0', true]);
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

test('two workers on one Redis ask once, and show the same', async () => {
  const { env, worker } = await createTestEnvironment(
    redis,
    { lanes: toTest },
    { liveTickMs: 20, liveMs: 3_600_000 },
  );
  const options = env.options(redis);
  const settings = { ...options.settings, liveTickMs: 20, liveMs: 3_600_000 };
  await using second = await startWorker({ ...options, settings });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => factsOf(worker)).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0', false]);
  expect(await laneOf(second)).toMatchObject({ live: { at: (await laneOf(worker))?.live.at } });
});

test('the metrics count lanes that are out of step', async () => {
  const { env, worker } = await twoVersions();
  const metrics = async () => {
    const headers = { authorization: `Bearer ${workerToken}` };
    return (await fetch(`${worker.url}/metrics`, { headers })).text();
  };
  await eventually(() => factsOf(worker)).toEqual(['v1.1.0', 'v1.1.0', 'v1.1.0', false]);
  expect(await metrics()).toContain('millrace_lanes_out_of_step 0\n');
  await disable(env, 'v1.1.0');
  await eventually(metrics).toContain('millrace_lanes_out_of_step 1\n');
});
