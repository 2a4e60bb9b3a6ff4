import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

type Environment = Awaited<ReturnType<typeof createReporterEnvironment>>;

/** GitHub refuses every write. */
const refuseWrites = ({ github }: Environment): void =>
  github.interfere(({ method }) => (method === 'GET' ? undefined : { status: 502, body: {} }));

/** Promotes a version whose verification fails. */
async function promoteInVain(env: Environment, version: string): Promise<void> {
  await env.accept(version, { version });
  const key = await env.beginAdvance(version);
  await env.intend(key, version);
  const step = { name: 'watch', since: 0, verify: 0, executionId: 'e' };
  const report = { state: 'pending', text: 'Running load' } as const;
  const fields = { step: JSON.stringify(step), intent: '' };
  await env.store.record(key, { kind: 'state', what: 'started', fields, report });
  await env.finish(key, 'failed', 'load ended FAILED');
}

test('deployments that GitHub refused for a while are created in the order of the promotions; only the last is active', async () => {
  const env = await createReporterEnvironment(redis);
  refuseWrites(env);
  for (const version of ['v1', 'v2', 'v3', 'v4']) {
    await (version === 'v2' ? promoteInVain(env, version) : env.promote(version));
    await env.report(version);
  }
  env.github.interfere(undefined);
  for (const version of ['v3', 'v1', 'v4', 'v2']) await env.sendAll(version);
  expect(env.shownDeployments()).toEqual(['v2 failure', 'v4 success']);
});

test.each([1, 2, 3])('with lost answers, after %i tries each, a deployment is closed once', async (tries) => {
  const env = await createReporterEnvironment(redis);
  const lost = new Set<string>();
  env.github.interfere(({ method, path, body }) => {
    const write = `${path} ${JSON.stringify(body)}`;
    if (method === 'GET' || !path.includes('/deployments') || lost.has(write)) return undefined;
    lost.add(write);
    return 'lose';
  });
  const versions = ['v1', 'v2', 'v3', 'v4'];
  for (const version of versions) {
    await env.promote(version);
    for (let i = 0; i < tries; i += 1) await env.report(version);
  }
  for (const version of versions) await env.sendAll(version);
  const states = env.repository.deployments.map(({ statuses }) => statuses.map(({ state }) => state));
  const closed = states.map((all) => all.filter((state) => state === 'inactive').length);
  expect(closed).toEqual([1, 1, 1, 0]);
  expect(states.at(-1)).toEqual(['success']);
});

test('an environment named production has one active deployment, and says that it is one for end users', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2', 'v3']) {
    await env.promote(version, { to: 'production' });
    await env.sendAll(version);
  }
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 inactive', 'v3 success']);
  expect(env.repository.deployments).toMatchObject(
    Array.from({ length: 3 }, () => ({ production_environment: true, transient_environment: false })),
  );
});

test('two lanes to one environment: active is what was promoted last, whichever began or ended last', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept('main');
  const main = await env.beginAdvance('main');
  await env.accept('hotfix', { version: 'v1.0.1', lane: { name: 'hotfix', id: '77/p/hotfix' } });
  const hotfix = await env.beginAdvance('hotfix');
  await env.intend(hotfix, 'v1.0.1');
  await env.sendAll('hotfix');
  await env.intend(main, 'v1.0.0');
  await env.finish(main, 'passed', 'v1.0.0 is live in test');
  await env.sendAll('main');
  await env.finish(hotfix, 'passed', 'v1.0.1 has passed');
  await env.sendAll('hotfix');
  expect(env.shownDeployments()).toEqual(['v1.0.1 inactive', 'v1.0.0 success']);
});

test('environments with the same name in two projects of a repository close each other’s deployments in no case', async () => {
  const env = await createReporterEnvironment(redis, { workingDirectories: 2 });
  const finance = { id: '77/finance/to-test', project: 'finance', directory: 'finance' };
  await env.promote('v1');
  await env.sendAll('v1');
  await env.promote('f1', finance);
  await env.sendAll('f1');
  await env.promote('v2');
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'f1 success', 'v2 success']);
});

test('a commit that GitHub no longer has does not keep later deployments back', async () => {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1');
  await env.promote('v2');
  env.github.interfere(({ path, body }) =>
    path.endsWith('/deployments') && JSON.stringify(body ?? '').includes('"v1"')
      ? { status: 422, body: { message: 'No ref found for: 0' } }
      : undefined,
  );
  await env.sendAll('v2');
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v2 success']);
});

/** A sender of v1 that is frozen right before it sends its last status. */
async function frozenSender() {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1');
  const [wakes, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const report = env.makeReporter({
    until: wakes.promise,
    reached: reached.resolve,
    before: 'deployment',
  });
  const sent = report('v1');
  await reached.promise;
  return { env, sent, wake: wakes.resolve };
}

test.each([
  ['its own report was taken over', ['v1', 'v2']],
  ['only the next version was reported', ['v2']],
])('a sender that was frozen before its last word brings no old version back: %s', async (_, reported) => {
  const { env, sent, wake } = await frozenSender();
  // Longer than a sender may take.
  env.time.skipped += 60_000;
  await env.promote('v2');
  for (const version of reported) await env.sendAll(version);
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
  wake();
  expect(await sent).toBeGreaterThan(0);
  expect(env.shownDeployments()[0]).toBe('v1 success');
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
});

test('while a sender has an environment, no other sends anything about its deployments', async () => {
  const { env, sent, wake } = await frozenSender();
  await env.promote('v2');
  expect(await env.report('v2')).toBeGreaterThan(0);
  expect(env.shownDeployments()).toEqual(['v1 no status']);
  wake();
  await sent;
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
});

test('after a roll-back by hand the bad version’s check and deployment show it, and the version before is active', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2']) {
    await env.promote(version);
    await env.sendAll(version);
  }
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
  const given = { disabled: 'v2', live: 'v1', by: 'ada', via: 'api', reason: 'bad figures' } as const;
  expect(await env.store.rolledBack(env.task.lane.id, given)).toEqual(['v2']);
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 inactive']);
  const message = 'Rolled back to v1 by ada: bad figures';
  expect(env.repository.deployments[1]?.statuses.at(-1)?.description).toBe(message);
  expect(env.repository.checkRuns[1]).toMatchObject({ conclusion: 'failure', output: { title: message } });

  await env.promote('v3');
  await env.sendAll('v3');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 inactive', 'v3 success']);
});

test('after a roll-back past a version that was disabled elsewhere, the version that is live is the active one', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2', 'v3']) {
    await env.promote(version, { to: 'production' });
    await env.sendAll(version);
  }
  // v2 was disabled outside Millrace.
  await env.store.rolledBack(env.task.lane.id, {
    disabled: 'v3',
    live: 'v1',
    by: 'ada',
    via: 'api',
    reason: 'x',
  });
  await env.sendAll('v3');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 inactive', 'v3 inactive']);
});

test('active deployments of a production environment that the records do not know are closed, once', async () => {
  const env = await createReporterEnvironment(redis);
  const deploy = {
    ref: env.commit,
    environment: 'production',
    payload: { promotion: 'before', version: 'v0' },
  };
  const others = { ...deploy, payload: { version: 'by others' } };
  for (const deployment of [deploy, others]) {
    const base = {
      sha: env.commit,
      description: null,
      transient_environment: false,
      production_environment: true,
    };
    const id = env.repository.deployments.length + 1;
    const statuses = [{ id: 10 + id, state: 'success', description: '' }];
    env.repository.deployments.push({ ...deployment, ...base, id, statuses });
  }
  for (const version of ['v1', 'v2']) {
    await env.promote(version, { to: 'production' });
    await env.sendAll(version);
  }
  expect(env.shownDeployments()).toEqual(['v0 inactive', 'by others success', 'v1 inactive', 'v2 success']);
  const lists = env.github.requests.filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/deployments'),
  );
  expect(lists).toHaveLength(1);
});

test('a version that was disabled outside Millrace is no longer active on GitHub, and is again once it is enabled', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2']) {
    await env.promote(version);
    await env.sendAll(version);
  }
  await env.live('v2');
  await env.live('v1', { version: 'v2', status: 'disabled' });
  expect(await env.store.openIds()).toEqual(['v2']);
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 inactive']);
  const title = 'v2 was disabled in test outside Millrace; v1 is live';
  expect(env.repository.checkRuns[1]).toMatchObject({ conclusion: 'failure', output: { title } });

  await env.live('v2', { version: 'v1', status: 'enabled' });
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
  expect(env.repository.checkRuns[1]).toMatchObject({ conclusion: 'success' });
});

test('while a version is live that was promoted outside Millrace, no deployment is active', async () => {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1');
  await env.sendAll('v1');
  await env.live('v1');
  await env.live('by-hand', { version: 'v1', status: 'enabled' });
  expect(await env.store.openIds()).toEqual(['v1']);
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v1 inactive']);
  const title = 'by-hand is live in test, but Millrace did not promote it';
  expect(env.repository.checkRuns[0]).toMatchObject({ conclusion: 'success', output: { title } });

  await env.live('v1', { version: 'by-hand', status: 'disabled' });
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v1 success']);
  await env.live('by-hand', { version: 'v1', status: 'enabled' });
  await env.promote('v2');
  await env.sendAll('v2');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 success']);
});

test('a version that a promotion brings is not taken for one that was promoted outside Millrace', async () => {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1');
  await env.sendAll('v1');
  await env.live('v1');
  await env.accept('v2', { version: 'v2' });
  const key = await env.beginAdvance('v2');
  await env.intend(key, 'v2');
  await env.live('v2', { version: 'v1', status: 'enabled' });
  expect(await env.store.openIds()).toEqual(['v2']);
});

test('a roll-back through Millrace that is first seen on the platform names who did it', async () => {
  const env = await createReporterEnvironment(redis);
  for (const version of ['v1', 'v2']) {
    await env.promote(version);
    await env.sendAll(version);
  }
  await env.live('v2');
  await env.live('v1', { version: 'v2', status: 'disabled' });
  await env.store.rolledBack(env.task.lane.id, {
    disabled: 'v2',
    live: 'v1',
    by: 'ada',
    via: 'api',
    reason: 'bad figures',
  });
  await env.sendAll('v2');
  expect(env.repository.checkRuns[1]?.output.title).toBe('Rolled back to v1 by ada: bad figures');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 inactive']);
});

/** v1 is verified; v2 was promoted and ended without being verified, in the given way. */
async function unverified(
  outcome: 'failed' | 'cancelled' | 'indeterminate' | 'error' | 'nothing-to-do',
  stepName: 'start' | 'watch' = 'watch',
) {
  const env = await createReporterEnvironment(redis);
  await env.promote('v1');
  await env.sendAll('v1');
  await env.accept('v2', { version: 'v2' });
  const key = await env.beginAdvance('v2');
  await env.intend(key, 'v2');
  const step = { name: stepName, since: 0, verify: 0, executionId: 'e' };
  const fields = { step: JSON.stringify(step), intent: '' };
  const report = { state: 'pending', text: 'Running load' } as const;
  await env.store.record(key, { kind: 'state', what: 'started', fields, report });
  await env.sendAll('v2');
  await env.finish(key, outcome, 'load ended FAILED');
  await env.sendAll('v2');
  return env;
}

test.each([
  ['failed', 'failure'],
  ['indeterminate', 'error'],
  ['error', 'error'],
  ['cancelled', 'inactive'],
] as const)('no deployment is active while the live version is not verified: %s', async (outcome, state) => {
  const env = await unverified(outcome);
  expect(env.shownDeployments()).toEqual(['v1 inactive', `v2 ${state}`]);
  expect(env.repository.deployments[0]?.statuses.at(-1)?.description).toBe('v2 is live, but not verified');
  await env.promote('v3');
  await env.sendAll('v3');
  expect(env.shownDeployments()).toEqual(['v1 inactive', `v2 ${state}`, 'v3 success']);
});

test('no deployment is active while a version is live whose verification was skipped', async () => {
  const env = await unverified('nothing-to-do', 'start');
  expect(env.shownDeployments()).toEqual(['v1 inactive', 'v2 inactive']);
  expect(env.repository.deployments[0]?.statuses.at(-1)?.description).toBe('v2 is live, but not verified');
});

test('a version that was verified but is not live leaves the live one active', async () => {
  const env = await unverified('nothing-to-do');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 inactive']);
});

test('after a roll-back of a version that was not verified, the version before is active again', async () => {
  const env = await unverified('failed');
  await env.store.rolledBack(env.task.lane.id, {
    disabled: 'v2',
    live: 'v1',
    by: 'ada',
    via: 'api',
    reason: 'bad figures',
  });
  expect(await env.store.openIds()).toEqual(['v1']);
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 failure']);
});

test('after a version that was not verified was disabled outside Millrace, the version before is active again', async () => {
  const env = await unverified('failed');
  await env.live('v2');
  await env.live('v1', { version: 'v2', status: 'disabled' });
  expect(await env.store.openIds()).toEqual(['v1']);
  await env.sendAll('v1');
  expect(env.shownDeployments()).toEqual(['v1 success', 'v2 failure']);
});
