import { expect, onTestFinished, test } from 'vitest';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { startWorker, type WorkerOptions } from '../../../../worker/app/start-worker.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';
import { ended, holdOf, release, tagged, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  deliver,
  delivery,
  repositoryName,
  promotionsOf,
  createWorkerEnvironment,
  type WorkerEnvironment,
  webhookSecret,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();
/** Loses all that a worker keeps, at a moment when both of its two pushes wait for their next try. */
const loseWhatRests = `
if redis.call('ZCARD', ARGV[1] .. ':ingest:delayed') < 2 then return 'not yet' end
redis.call('DEL', unpack(redis.call('KEYS', ARGV[1] .. '*')))
return 'lost'`;

const every = toTest.replace('to: test', 'to: test\n    policy: every');

type As = 'app' | 'hook' | 'heads';

/** A repository whose webhook points to a worker that may be up or down. */
async function createTestEnvironment(as: As, sweepMs = 1_000, lanes = toTest) {
  const env = await createWorkerEnvironment({
    lanes,
    github: {
      app: testApp,
      tokens: {
        heads: { permissions: { contents: 'read', statuses: 'write' } },
        hook: { permissions: { contents: 'read', statuses: 'write', repository_hooks: 'write' } },
      },
    },
  });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const { apiUrl } = env.github;
  const access =
    as === 'app'
      ? appAccess({ apiUrl, appId: testApp.id, privateKey: appKey })
      : tokenAccess(() => (as === 'hook' ? 'hook' : 'heads'));
  const base = env.options(redis);
  const options: WorkerOptions = {
    ...base,
    settings: { ...base.settings, sweepTickMs: 100, sweepMs },
    github: createGitHubPort({ apiUrl, access, clock: systemClock }),
  };
  const hook = env.github.addHook({
    place: as === 'app' ? 'app' : repositoryName,
    url: 'http://127.0.0.1:1/webhooks/github',
    secret: webhookSecret,
    events: ['push', 'create', 'issue_comment'],
  });
  async function start(): Promise<{ url: string; close(): Promise<void> }> {
    const worker = await startWorker(options);
    onTestFinished(() => worker.close());
    hook.url = `${worker.url}/webhooks/github`;
    return worker;
  }
  const tell = async (version: string) =>
    env.github.deliver('push', await env.github.events.push(repositoryName, `refs/tags/${version}`));
  const redelivered = () =>
    env.github.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/attempts'));
  return { env, start, tell, redelivered, hook };
}

const versionsPromoted = async (url: string): Promise<string> =>
  (await promotionsOf(url, 'to-test'))
    .map(({ version }) => version ?? '')
    .toSorted((a, b) => a.localeCompare(b))
    .join(' ');

/** The worker has recorded the current commits of all refs. */
async function ready(url: string): Promise<unknown> {
  const recovery = async () =>
    ((await (await fetch(`${url}/readyz`)).json()) as { recovery: unknown }).recovery;
  await eventually(recovery).not.toEqual({});
  return recovery();
}

const baselined = (env: WorkerEnvironment) =>
  eventually(async () => redis.connect().hexists(`${env.prefix}:chain:77`, '#begun')).toBe(1);

test.each([
  ['app', 'app-deliveries'],
  ['hook', 'hook-deliveries'],
  ['heads', 'heads'],
] as const)('after a time without a worker every push is taken in once (%s)', async (as, source) => {
  const { env, start, tell, redelivered, hook } = await createTestEnvironment(as);
  const first = await start();
  expect(await ready(first.url)).toEqual({ [source]: 1 });
  await baselined(env);
  await release(env, 'v1.0.0');
  await tell('v1.0.0');
  await eventually(() => versionsPromoted(first.url)).toBe('v1.0.0');
  await first.close();

  for (const version of ['v1.1.0', 'v1.2.0']) {
    await release(env, version);
    await tell(version);
  }
  // Nothing follows from these: no lane waits for such a tag, the worker does not serve that repository, the ref is deleted.
  const push = await env.github.events.push(repositoryName, 'refs/tags/v1.1.0');
  await env.github.deliver('create', push);
  const stranger = { ...push, repository: { ...push.repository, id: 4, full_name: repositoryName } };
  await env.github.deliver('push', stranger);
  expect(hook.attempts.filter(({ status_code: code }) => code === 502)).toHaveLength(4);

  const second = await start();
  await eventually(() => versionsPromoted(second.url)).toBe('v1.0.0 v1.1.0 v1.2.0');
  // Sweeps continue, and find nothing more to do.
  const swept = () =>
    env.github.requests.filter(({ path }) => path.endsWith(as === 'heads' ? '/graphql' : '/deliveries'))
      .length;
  const sofar = swept();
  await eventually(swept).toBeGreaterThan(sofar + 1);
  expect(await versionsPromoted(second.url)).toBe('v1.0.0 v1.1.0 v1.2.0');
  const guids = redelivered().map(({ path }) => path);
  expect(guids).toHaveLength(as === 'heads' ? 0 : 2);
  expect(new Set(guids).size).toBe(guids.length);
});

test('a push that never arrived is found at the next tick once a later one shows the gap', async () => {
  // After the first sweep none is due for long; only the gap can bring one, at a tick: those come within five seconds.
  expect(defaultSettings.sweepTickMs).toBeLessThan(5_000);
  const { env, start, hook } = await createTestEnvironment('hook', 3_600_000);
  const worker = await start();
  await eventually(async () => redis.connect().hexists(`${env.prefix}:sweep:times`, 'last')).toBe(1);
  const url = hook.url;
  const main = async (before: string) =>
    env.github.deliver('push', await env.github.events.push(repositoryName, 'refs/heads/main', before));
  const one = await env.repository.commit('main', { 'a.txt': '1' });
  await main(await parent(env, one));
  hook.url = 'http://127.0.0.1:1/';
  await tagged(env, 'v2.0.0');
  await env.publish('v2.0.0', (await env.github.repository(repositoryName).git.commit('v2.0.0')) ?? '');
  await env.github.deliver('push', await env.github.events.push(repositoryName, 'refs/tags/v2.0.0'));
  const two = (await env.github.repository(repositoryName).git.commit('refs/heads/main')) ?? '';
  await main(one);
  hook.url = url;
  const three = await env.repository.commit('main', { 'a.txt': '3' });
  expect(three).not.toBe(two);
  await main(two);
  await eventually(() => versionsPromoted(worker.url)).toBe('v2.0.0');
  // The tag's delivery is requested first, and its promotion may exist before the branch's promotion.
  await eventually(() => hook.attempts.filter(({ redelivery }) => redelivery)).toHaveLength(2);
});

test('after a loss answered pushes without ingest are redelivered into a held lane, with their pusher', async () => {
  const { env, start, tell, redelivered, hook } = await createTestEnvironment('hook');
  const worker = await start();
  await release(env, 'v1.0.0');
  await release(env, 'v1.1.0');
  env.github.interfere(({ path }) =>
    path.includes('/contents/') ? { status: 502, body: { message: 'bad gateway' } } : undefined,
  );
  for (const version of ['v1.0.0', 'v1.1.0']) await tell(version);
  expect(hook.attempts.map(({ status_code: code }) => code)).toEqual([202, 202]);
  // Long enough ago that a record of them would be there.
  const aMinuteAgo = new Date(Date.now() - 60_000).toISOString();
  for (const attempt of hook.attempts) Object.assign(attempt, { delivered_at: aMinuteAgo });
  const connection = redis.connect();
  // A try that is under way would take its push in after the loss, and nothing would have to be asked for.
  await eventually(() => connection.eval(loseWhatRests, 0, env.prefix)).toBe('lost');
  env.github.interfere(undefined);
  // Whichever comes first: an older one ends as superseded.
  const newest = async () =>
    (await promotionsOf(worker.url, 'to-test')).find(({ version }) => version === 'v1.1.0');
  await eventually(newest).toMatchObject({ state: 'queued', pusher: 'octocat' });
  await eventually(redelivered).toHaveLength(2);
  expect(await holdOf(worker, 'to-test')).toContain('state-lost');
  expect(env.wire.count('POST', '/promotions')).toBe(0);
});

test('what was there before the worker is not promoted by it', async () => {
  const { env, start } = await createTestEnvironment('heads');
  await release(env, 'v0.1.0');
  const worker = await start();
  await baselined(env);
  await release(env, 'v0.2.0');
  await eventually(() => versionsPromoted(worker.url)).toBe('v0.2.0');
  expect(await versionsPromoted(worker.url)).not.toContain('v0.1.0');
});

test('a sweep after an outage does not bring a release candidate back after its release', async () => {
  const { env, start, tell } = await createTestEnvironment('heads');
  const first = await start();
  await baselined(env);
  const commit = await release(env, 'v1.2.0');
  await tell('v1.2.0');
  await eventually(() => versionsPromoted(first.url)).toBe('v1.2.0');
  await ended(first, 'to-test', 'v1.2.0');
  await first.close();
  await env.repository.tag('v1.2.0-rc.1', commit);
  await env.publish('v1.2.0-rc.1', commit);

  const second = await start();
  expect(await ended(second, 'to-test', 'v1.2.0-rc.1')).toMatchObject({ outcome: 'superseded' });
  expect(await env.versions('test')).toEqual(['v1.2.0']);
});

test('a sweep gives a lane with the policy every its versions in their order, not in the order of their names', async () => {
  const { env, start } = await createTestEnvironment('heads', 1_000, every);
  const first = await start();
  await baselined(env);
  await first.close();
  for (const version of ['v1.9.0', 'v1.10.0']) await release(env, version);

  const second = await start();
  await ended(second, 'to-test', 'v1.10.0');
  expect(await env.versions('test')).toEqual(['v1.10.0', 'v1.9.0']);
});

/** An annotated tag and its artifact; gives the commit. */
async function annotated(env: WorkerEnvironment, version: string): Promise<string> {
  const commit = await env.repository.commit('main', { 'notes.txt': version });
  await env.repository.tag(version, commit, 'annotated');
  await env.publish(version, commit);
  return commit;
}

test('an annotated tag that a sweep finds is promoted at its commit, and keeps no delivered push back', async () => {
  const { env, start, tell } = await createTestEnvironment('heads', 1_000, every);
  const first = await start();
  await baselined(env);
  await first.close();
  await annotated(env, 'v1.0.0');
  const commit = await annotated(env, 'v1.1.0');

  const second = await start();
  await eventually(() => versionsPromoted(second.url)).toBe('v1.0.0 v1.1.0');
  await annotated(env, 'v1.2.0');
  await tell('v1.2.0');
  await ended(second, 'to-test', 'v1.2.0');
  expect(await env.versions('test')).toEqual(['v1.2.0', 'v1.1.0', 'v1.0.0']);
  expect(await ended(second, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed', commit });
});

/** When the heads of the repository were compared last. */
const comparison = (env: WorkerEnvironment) => redis.connect().hget(`${env.prefix}:sweep:comparisons`, '77');

test('a tag that was pushed while the App was suspended is found after that', async () => {
  const { env, start } = await createTestEnvironment('app');
  const worker = await start();
  await eventually(async () => Number(await comparison(env))).toBeGreaterThan(0);
  env.github.app.isSuspended = true;
  await release(env, 'v1.0.0');
  await eventually(() => comparison(env)).toBe('0');
  env.github.app.isSuspended = false;
  await eventually(() => versionsPromoted(worker.url)).toBe('v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a tag that was pushed during a suspension that no call met is found when the suspension ends', async () => {
  const { env, start } = await createTestEnvironment('app');
  const worker = await start();
  await eventually(async () => Number(await comparison(env))).toBeGreaterThan(0);
  // GitHub delivered nothing of this time, and lists nothing of it.
  await release(env, 'v1.0.0');
  const body = { action: 'unsuspend', installation: { id: 1 }, repositories: [] };
  expect(await deliver(worker.url, delivery('installation', body))).toEqual({
    status: 202,
    result: 'accepted',
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  const suspended = delivery('installation', { ...body, action: 'suspend' });
  expect(await deliver(worker.url, suspended)).toEqual({ status: 200, result: 'ignored' });
});

test('if GitHub lists deliveries, heads are still compared once an hour, because a suspension has no deliveries', async () => {
  const { env, start } = await createTestEnvironment('app');
  const worker = await start();
  await eventually(async () => Number(await comparison(env))).toBeGreaterThan(0);
  await release(env, 'v1.0.0');
  await redis.connect().hset(`${env.prefix}:sweep:comparisons`, '77', Date.now() - 3_600_000);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('a worker that starts again sweeps at once, although the next sweep is not due', async () => {
  const { env, start } = await createTestEnvironment('heads', 3_600_000);
  const first = await start();
  await baselined(env);
  await eventually(async () => redis.connect().hexists(`${env.prefix}:sweep:times`, 'last')).toBe(1);
  await first.close();
  await release(env, 'v1.0.0');
  const second = await start();
  expect(await ended(second, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

async function parent(env: WorkerEnvironment, commit: string): Promise<string> {
  return (await env.github.repository(repositoryName).git.git('rev-parse', `${commit}^`)).trim();
}
