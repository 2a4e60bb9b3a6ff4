import { expect, onTestFinished, test } from 'vitest';
import { readWorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { webUrlOf } from '../../lib/github/access/web-url.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import { createWorkerEnvironment, workerFile } from '../environment/worker/worker-environment.ts';
import { testBrowser } from './dashboard-environment.ts';

const redis = testRedis();
const browser = testBrowser();

test('a person presses the button, comes back from GitHub, which is another site, and is signed in', async () => {
  const oauthApp = { clientId: 'client-1', clientSecret: 'the-secret-of-the-app', callbackUrl: '' };
  const env = await createWorkerEnvironment({ lanes: '  []', github: { oauthApp } });
  const { github } = env;
  const operators = 'operators: [{ name: grace, github: hopper, role: admin, repositories: all }]\n';
  const worker = await startWorker({
    ...env.options(redis),
    token: undefined,
    config: readWorkerConfig(`${workerFile()}${operators}`, 'worker.yaml'),
    signIn: () => ({
      ...oauthApp,
      apiUrl: github.apiUrl,
      webUrl: webUrlOf(github.apiUrl),
      redirectUri: github.oauthApp.callbackUrl,
    }),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  // For a browser, another site than 127.0.0.1.
  const url = worker.url.replace('127.0.0.1', 'localhost');
  github.oauthApp.callbackUrl = `${url}/session/github/callback`;
  const page = await browser.open();
  await page.context().addCookies([{ name: 'user', value: 'hopper', url: github.url }]);
  await page.goto(`${url}/audit`);
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  expect(page.url()).toBe(`${url}/audit`);
  expect(await page.locator('.who').textContent()).toContain('hopper');
  const cookies = await page.context().cookies(url);
  expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([['millrace_session', 'Strict']]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
});
