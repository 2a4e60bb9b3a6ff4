import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Check } from '../../../flows/doctor/doctor.ts';
import { workerFile } from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';

const url = 'url: https://millrace.example.com\n';
const ada = 'operators: [{ name: ada, github: ada, role: admin, repositories: all }]\n';
const app = 'github: { sign-in: { client-id: Iv23li, client-secret-file: secret } }\n';

/** Runs a command beside a worker.yaml with more at its end. */
async function run(args: readonly string[], more: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'millrace-sign-in-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n${more}`);
  writeFileSync(join(cwd, 'secret'), 'the-client-secret\n');
  return inProcess(args, {
    cwd,
    env: {
      GITHUB_API_URL: 'http://127.0.0.1:1/api/v3',
      MILLRACE_BASE_URL: 'http://127.0.0.1:1',
      MILLRACE_GITHUB_TOKEN: 'token-for-github',
      MILLRACE_WEBHOOK_SECRET: 'webhook-secret',
      MILLRACE_INSTALL: 'never',
      TOKEN: 'token-for-the-platform',
      ...env,
    },
  });
}

async function doctor(more: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run(['doctor', '--json'], more, env);
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  expect(stdout).not.toContain('the-client-secret');
  return checks.find(({ what }) => what === 'sign-in with GitHub');
}

test.each([
  ['of worker.yaml', `${url}${ada}${app}`, {}],
  [
    'of the environment',
    `${url}${ada}`,
    { MILLRACE_GITHUB_CLIENT_ID: 'Iv23li', MILLRACE_GITHUB_CLIENT_SECRET: 'the-client-secret' },
  ],
])('the doctor shows the app %s and the callback address to register', async (_, more, env) => {
  expect(await doctor(more, env)).toMatchObject({
    ok: true,
    message:
      'app Iv23li at http://127.0.0.1:1; its callback address must be https://millrace.example.com/session/github/callback',
  });
});

test('without sign-in, the doctor says nothing about it', async () => {
  expect(await doctor(url)).toBeUndefined();
});

test.each([
  ['the client secret', `${url}${ada}github: { sign-in: { client-id: Iv23li } }\n`, {}],
  ['the client id', `${url}${ada}`, { MILLRACE_GITHUB_CLIENT_SECRET: 'the-client-secret' }],
  ['the public address of the worker', `${ada}${app}`, {}],
  ['people who may sign in', `${url}${app}`, {}],
])('the doctor says what sign-in lacks: %s', async (what, more, env) => {
  expect(await doctor(more, env)).toMatchObject({
    ok: false,
    message: expect.stringContaining(`Sign-in with GitHub is configured, but ${what} is missing.`),
    hint: expect.stringMatching(/add|set/i),
  });
});

test.each([
  ['half-configured sign-in', `${ada}${app}`, 'the public address of the worker is missing'],
  ['an operator who could never sign in', ada, 'Operator ada has no token and can only sign in with GitHub'],
])('a worker with %s does not start', async (_, more, message) => {
  const { code, stderr } = await run(['worker', '--port', '0'], more);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
