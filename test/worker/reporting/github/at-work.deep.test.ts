import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';
import { ended, pushed, release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { repositoryName, createWorkerEnvironment } from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

test('a worker that is an App shows a push through two lanes: one check run and one deployment each, each end once, though every answer is lost at first', async () => {
  const env = await createWorkerEnvironment({ lanes: twoLanes, github: { app: testApp } });
  const { apiUrl } = env.github;
  const access = appAccess({ apiUrl, appId: testApp.id, privateKey: appKey });
  const options = env.options(redis);
  const worker = await startWorker({
    ...options,
    github: createGitHubPort({ apiUrl, access, clock: systemClock }),
    // Tries again at once, for the test.
    random: () => 0,
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const lost: string[] = [];
  // Each different write arrives, and the first time its answer does not.
  env.github.interfere((request) => {
    const paths = writtenPaths(request).join(' ');
    if (!/check-runs|deployments/.test(paths)) return undefined;
    const write = `${paths} ${JSON.stringify(request.body)}`;
    if (lost.includes(write)) return undefined;
    lost.push(write);
    return 'lose';
  });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-prod', 'v1.0.0');
  const { checkRuns, deployments, statuses } = env.github.repository(repositoryName);
  const concluded = () =>
    checkRuns
      .map(({ name, conclusion }) => `${name} ${conclusion ?? ''}`)
      .toSorted((a, b) => a.localeCompare(b));
  await eventually(concluded).toEqual(['millrace/to-prod success', 'millrace/to-test success']);
  const successes = () =>
    deployments
      .map(
        ({ environment, statuses: all }) =>
          `${environment} ${all.filter(({ state }) => state === 'success').length}`,
      )
      .toSorted((a, b) => a.localeCompare(b));
  await eventually(successes).toEqual(['prod 1', 'test 1']);
  await eventually(async () => redis.connect().scard(`${env.prefix}:open`)).toBe(0);
  expect(countIn(lost, /"(?:conclusion|state)":"success"/giu)).toBe(4);
  expect(new Set(checkRuns.map(({ head_sha: sha }) => sha))).toEqual(new Set([commit]));
  expect(statuses).toEqual([]);
  const sent = env.github.requests.map((request) => JSON.stringify(request.body ?? ''));
  expect(countIn(sent, /"conclusion":/gu)).toBe(2);
});

const countIn = (texts: readonly string[], pattern: RegExp): number =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
