import { expect, test } from 'vitest';
import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

/** A promotion whose check run and deployment are in progress, and has now passed. */
async function begun() {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting v1.0.0');
  await env.sendAll();
  expect(env.repository.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  expect(env.shownDeployments()).toEqual(['v1.0.0 in_progress']);
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  const ended = () => {
    expect(env.repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
    expect(env.shownDeployments()).toEqual(['v1.0.0 success']);
    expect(env.repository.statuses).toEqual([]);
  };
  return { env, ended };
}

test.each([
  ['403', { status: 403, body: { message: 'Forbidden' } }],
  [
    '403 in the words of a missing permission',
    { status: 403, body: { message: 'Resource not accessible by integration' } },
  ],
  ['404', { status: 404, body: { message: 'Not Found' } }],
])('one %s delays the end of a check run and a deployment, and nothing more', async (_, refusal) => {
  const { env, ended } = await begun();
  let refusals = 2;
  env.github.interfere(({ method }) => (method !== 'GET' && refusals-- > 0 ? refusal : undefined));
  await env.sendAll();
  ended();
  expect(env.time.skipped).toBeLessThan(60_000);
});

test('a refused check run does not keep the deployment back', async () => {
  const { env } = await begun();
  // Also together with the deployment: then each is sent by itself.
  env.github.interfere((request) =>
    writtenPaths(request).some((path) => path.includes('/check-runs/'))
      ? { status: 403, body: { message: 'Forbidden' } }
      : undefined,
  );
  for (let i = 0; i < 2; i += 1) expect(await env.report('promotion-1')).toBeGreaterThan(0);
  expect(env.shownDeployments()).toEqual(['v1.0.0 success']);
});

test('while the App is suspended nothing is tried for other promotions; afterwards everything that was begun ends', async () => {
  const { env, ended } = await begun();
  env.github.app.isSuspended = true;
  expect(await env.report('promotion-1')).toBeGreaterThanOrEqual(60_000);
  expect(env.warningFields).toContainEqual(
    expect.objectContaining({ hint: expect.stringContaining('suspended') }),
  );
  const asked = env.github.requests.length;
  expect(await env.report('promotion-1')).toBeGreaterThan(50_000);
  expect(env.github.requests).toHaveLength(asked);
  // Longer than other failures are retried.
  for (let i = 0; i < 3; i += 1) {
    env.time.skipped += 86_400_000;
    expect(await env.report('promotion-1')).toBeLessThanOrEqual(900_000);
  }
  env.github.app.isSuspended = false;
  env.time.skipped += 900_000;
  await env.sendAll();
  ended();
});

test('a report of an App that was removed ends once it is installed again, without a restart', async () => {
  const { env, ended } = await begun();
  env.github.app.installation = undefined;
  expect(await env.report('promotion-1')).toBeGreaterThanOrEqual(60_000);
  env.github.app.installation = 9002;
  env.time.skipped += 60_000;
  await env.sendAll();
  ended();
});

test('without the permissions that were there at the beginning a status tells the end; with them all ends', async () => {
  const { env } = await begun();
  env.github.app.permissions = { contents: 'read', statuses: 'write' };
  // The tokens of before still have them.
  env.github.interfere((request) =>
    /check-runs|deployments/.test(writtenPaths(request).join(' '))
      ? { status: 403, body: { message: 'Resource not accessible by integration' } }
      : undefined,
  );
  const waits: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    waits.push((await env.report('promotion-1')) ?? 0);
    env.time.skipped += waits.at(-1) ?? 0;
  }
  // Tried again after a minute, then after two.
  expect(Math.max(...waits)).toBeGreaterThan(100_000);
  expect(env.repository.statuses).toMatchObject([{ state: 'success' }]);
  expect(env.repository.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  expect(env.warningFields).toContainEqual(
    expect.objectContaining({ hint: expect.stringContaining('checks: write') }),
  );

  env.github.app.permissions = { ...env.github.app.permissions, checks: 'write', deployments: 'write' };
  env.github.interfere(undefined);
  await env.sendAll();
  expect(env.repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  expect(env.shownDeployments()).toEqual(['v1.0.0 success']);
  expect(env.repository.statuses).toHaveLength(1);
});
