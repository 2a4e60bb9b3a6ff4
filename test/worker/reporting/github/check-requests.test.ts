import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { checkRequest } from '../../../environment/worker/check-request.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { pushed, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  createWorkerEnvironment,
  deliver,
  delivery,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';

const redis = testRedis();

const approvals = `
    branches: [main]
    tags: ["v*"]
    environments: [test]
    pipelines: ["**"]
    approvers: [ada]
    gates: { test: { approvals: 1 } }
`;

/** A promotion that waits for approval, and the body of a click of ada on its button. */
async function waitingForClick(permission: 'read' | 'write') {
  const env = await createWorkerEnvironment({
    lanes: toTest,
    github: { app: testApp },
    policy: approvals,
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
  collaborators.set('ada', { id: 11, login: 'ada', permission });
  const commit = await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => checkRuns[0]?.actions.length).toBe(2);
  const [check] = checkRuns;
  const body = checkRequest({
    action: 'requested_action',
    commit,
    promotion: check?.external_id ?? '',
    identifier: check?.actions[0]?.identifier ?? '',
  });
  return { worker, checkRuns, collaborators, click: () => delivery('check_run', body) };
}

test('a click on "Approve" of a check run on GitHub lets its promotion continue, and a signed copy of it does nothing', async () => {
  const { worker, checkRuns, click } = await waitingForClick('write');
  const first = click();
  expect((await deliver(worker.url, first)).status).toBe(202);
  await eventually(() => checkRuns[0]).toMatchObject({ conclusion: 'success', actions: [] });
  expect((await deliver(worker.url, first)).status).toBe(200);
});

test('a click that was refused counts when the person may approve and clicks again, although its body is the same', async () => {
  const { worker, checkRuns, collaborators, click } = await waitingForClick('read');
  expect((await deliver(worker.url, click())).status).toBe(202);
  const results = async () => {
    const { body } = await askWorker<{ deliveries: readonly { ingestResult?: string }[] }>(
      worker.url,
      'deliveries',
    );
    return body.deliveries.map(({ ingestResult }) => ingestResult);
  };
  await eventually(results).toContain('nothing was done: the person has no write access to the repository');
  collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  expect((await deliver(worker.url, click())).status).toBe(202);
  await eventually(() => checkRuns[0]).toMatchObject({ conclusion: 'success' });
});
