import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/system-clock.ts';
import { appAccess } from '../../../../lib/github/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { checkRequest } from '../../../environment/worker/check-request.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { pushed, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliver,
  delivery,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';

const redis = testRedis();

test('a click on "Approve" of a check run on GitHub lets its promotion continue, and a signed copy of it does nothing', async () => {
  const env = await createWorkerEnvironment({
    lanes: toTest,
    github: { app: testApp },
    policy: `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    approvers: [ada]
    gates: { test: { approvals: 1 } }
`,
  });
  const { apiUrl } = env.github;
  const access = appAccess({ apiUrl, appId: testApp.id, privateKey: appKey });
  const worker = await startWorker({
    ...env.options(redis),
    github: createGitHubPort({ apiUrl, access, clock: systemClock }),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const { checkRuns, collaborators } = env.github.repository(repositoryName);
  collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => checkRuns[0]?.actions.length).toBe(1);
  const [check] = checkRuns;
  const click = delivery(
    'check_run',
    checkRequest({
      action: 'requested_action',
      commit,
      promotion: check?.external_id ?? '',
      identifier: check?.actions[0]?.identifier ?? '',
    }),
  );
  expect((await deliver(worker.url, click)).status).toBe(202);
  await eventually(() => checkRuns[0]).toMatchObject({ conclusion: 'success', actions: [] });
  expect((await deliver(worker.url, click)).status).toBe(200);
});
