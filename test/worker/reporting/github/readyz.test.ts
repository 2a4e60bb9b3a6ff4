import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { createWorkerEnvironment } from '../../../environment/worker/worker-environment.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';

const redis = testRedis();

test('/readyz shows that GitHub refuses the App, by cause, and that it accepts it again', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest, github: { app: testApp } });
  const { apiUrl } = env.github;
  const access = appAccess({ apiUrl, appId: testApp.id, privateKey: appKey });
  const base = env.options(redis);
  const worker = await startWorker({
    ...base,
    settings: { ...base.settings, sweepTickMs: 50, sweepMs: 100 },
    github: createGitHubPort({ apiUrl, access, clock: systemClock }),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const shown = async () =>
    ((await (await fetch(`${worker.url}/readyz`)).json()) as { github: unknown }).github;
  await eventually(shown).toEqual({ ok: 1 });
  env.github.app.isSuspended = true;
  await eventually(shown).toEqual({ suspended: 1 });
  env.github.app.isSuspended = false;
  await eventually(shown).toEqual({ ok: 1 });
  env.github.app.installation = undefined;
  await eventually(shown).toEqual({ 'not-installed': 1 });
  env.github.app.installation = 9002;
  await eventually(shown).toEqual({ ok: 1 });
  expect(await (await fetch(`${worker.url}/readyz`)).json()).toMatchObject({ ready: true });
});
