import { expect, test } from 'vitest';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createRefusalReporter } from '../../../../worker/reporting/github/report-refusal.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';

const redis = testRedis();

test('one 403 delays what a commit says about a refused push, and nothing more', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const forbidden = { status: 403, body: { message: 'Forbidden' } };
  let refusals = 1;
  env.github.interfere(({ method }) => (method !== 'GET' && refusals-- > 0 ? forbidden : undefined));
  const commit = await env.repository.commit('feature/x', { 'notes.txt': 'x' }, { from: 'main' });
  await env.repository.tag('v9.0.0', commit);
  await pushed(env, worker, 'v9.0.0');
  await eventually(() => env.status(commit, 'millrace/policy')).toMatch(
    /^error: worker\.yaml does not allow/,
  );
  env.github.interfere(undefined);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('an App without the permission for check runs reports a refusal by a commit status; without both, only the log has it', async () => {
  const { checks: _, ...permissions } = testApp.permissions;
  await using env = await createWorkerEnvironment({
    lanes: toTest,
    github: { app: { ...testApp, permissions } },
  });
  const { apiUrl } = env.github;
  const access = appAccess({ apiUrl, appId: testApp.id, privateKey: appKey });
  const github = createGitHubPort({ apiUrl, access, clock: systemClock });
  const warnings: unknown[] = [];
  const report = createRefusalReporter({
    github,
    budget: { take: async () => 0 },
    logger: { ...silentLogger, warn: (...line) => void warnings.push(line) },
  });
  const repository = { id: repositoryId, fullName: repositoryName };
  const commit = await env.repository.commit('main', { 'notes.txt': '1' });
  await report(repository, commit, 'v1.0.0 is too early');
  expect(env.status(commit, 'millrace/policy')).toBe('error: v1.0.0 is too early');
  expect(warnings).toEqual([]);
  env.github.app.permissions = { contents: 'read' };
  const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } };
  env.github.interfere(({ path }) => (/check-runs|status/.test(path) ? refusal : undefined));
  await report(repository, commit, 'v1.0.0 is too late');
  expect(warnings).toMatchObject([['Reporting a refusal on GitHub failed.', { repository: repositoryName }]]);
});

test('without room in the budget of writes, or while GitHub limits them, a refusal is reported later', async () => {
  await using env = await createWorkerEnvironment({ lanes: toTest });
  const { github } = env.options(redis);
  let waitMs = 7;
  const report = createRefusalReporter({
    github,
    budget: { take: async () => waitMs },
    logger: silentLogger,
  });
  const commit = await env.repository.commit('main', { 'notes.txt': '1' });
  const repository = { id: repositoryId, fullName: repositoryName };
  await expect(report(repository, commit, 'v1.0.0 is too early')).rejects.toThrow('Retry in 7 ms');
  waitMs = 0;
  const limited = { status: 429, headers: { 'retry-after': '60' }, body: { message: 'Slow down' } };
  env.github.interfere(({ method }) => (method === 'GET' ? undefined : limited));
  await expect(report(repository, commit, 'v1.0.0 is too early')).rejects.toThrow('(429)');
});
