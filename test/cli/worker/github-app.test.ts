import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../../flows/doctor/doctor.ts';
import { readGitHubAccess } from '../../../cli/worker/github-access.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Secret } from '../../../lib/config/environment/secret.ts';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../../environment/github/start-github.ts';
import { repositoryId, repositoryName, workerFile } from '../../environment/worker/worker-environment.ts';
import { appKey, createAppKey, testApp } from '../../lib/github/app.ts';
import { approvers } from '../../worker/promotion/gates/one-lane.ts';
import { inProcess } from '../in-process.ts';

let folder = '';
let github: GitHub;
const allPermissions = { ...testApp.permissions, pull_requests: 'read' } as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-app-'));
  await (await buildRepository(folder, repositoryName)).commit('main', { 'a.txt': 'a' });
  github = await startGitHub({
    gitRoot: folder,
    repositories: [{ fullName: repositoryName, id: repositoryId }],
    app: testApp,
    tokens: {},
  });
  const app = 'github: { app-id: 4711, app-key-file: key.pem }';
  await writeFile(join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n${app}\n`);
});

beforeEach(async () => {
  await writeFile(join(folder, 'key.pem'), appKey);
  Object.assign(github.app, { permissions: allPermissions, isSuspended: false, events: ['push'] });
});

afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const run = async (...args: string[]) =>
  inProcess(args, {
    cwd: folder,
    env: {
      GITHUB_API_URL: github.apiUrl,
      MILLRACE_BASE_URL: 'http://127.0.0.1:1',
      TOKEN: 't',
      MILLRACE_WEBHOOK_SECRET: 's',
      MILLRACE_INSTALL: 'never',
    },
  });

async function checks(
  ...args: string[]
): Promise<{ app: Check | undefined; permissions: Check | undefined }> {
  const all = (JSON.parse((await run('doctor', '--json', ...args)).stdout) as { checks: readonly Check[] })
    .checks;
  return {
    app: all.find(({ what }) => what === 'GitHub App'),
    permissions: all.find(({ what }) => what === `permissions of the GitHub App on ${repositoryName}`),
  };
}

test('the doctor names the App, and that it has the permissions', async () => {
  expect(await checks()).toMatchObject({
    app: { ok: true, message: 'millrace-test (4711)' },
    permissions: { ok: true },
  });
});

test.each([
  ['checks', 'checks: write'],
  ['deployments', 'deployments: write'],
  ['contents', 'contents: read'],
])('the doctor names a missing permission for %s', async (name, named) => {
  github.app.permissions = Object.fromEntries(Object.entries(allPermissions).filter(([one]) => one !== name));
  expect((await checks()).permissions).toMatchObject({
    ok: false,
    message: `The GitHub App lacks these permissions: ${named}.`,
  });
});

test('the doctor names a suspended installation, and an event that the App does not receive', async () => {
  Object.assign(github.app, { isSuspended: true });
  expect((await checks()).permissions).toMatchObject({
    ok: false,
    message: expect.stringContaining('suspended'),
  });
  Object.assign(github.app, { events: ['issue_comment'] });
  expect((await checks()).app).toMatchObject({
    ok: false,
    message: expect.stringContaining('these events: push'),
  });
});

test('the doctor names what the answers to comments need', async () => {
  const file = join(folder, 'answers.yaml');
  const app = 'github: { app-id: 4711, app-key-file: key.pem, answer-comments: true }';
  await writeFile(file, `${workerFile(approvers)}${app}\n`);
  expect(await checks('--worker-config', file)).toMatchObject({
    app: { ok: false, message: expect.stringContaining('these events: issue_comment') },
  });
  Object.assign(github.app, { events: ['push', 'issue_comment'] });
  expect((await checks('--worker-config', file)).permissions).toMatchObject({
    ok: false,
    message: 'The GitHub App lacks these permissions: pull requests: write.',
  });
});

test('a worker with another App’s key does not start, and says so; no line of the key is shown', async () => {
  const { privateKey } = createAppKey();
  await writeFile(join(folder, 'key.pem'), privateKey);
  const { code, stderr } = await run('worker', '--port', '0');
  expect(code).toBe(2);
  expect(stderr).toContain('GitHub does not accept the id and the key of the GitHub App');
  expect(stderr).toContain('it belongs to another App, or it was deleted');
  expect(stderr).not.toContain(privateKey.split('\n')[1]);
});

test.each(['worker.yaml', 'the environment'])(
  'the key file of %s is read again for each use',
  async (source) => {
    const { publicKey, privateKey } = createAppKey();
    const masked: string[] = [];
    let content = appKey;
    const reader = {
      read: (_: string | undefined, file: string | undefined) => (file === 'key.pem' ? content : undefined),
      mask: (values: readonly string[]) => void masked.push(...values),
    };
    const more = source === 'worker.yaml' ? 'github: { app-id: 4711, app-key-file: key.pem }' : '';
    const config = readWorkerConfig(`${workerFile()}\n${more}`, 'worker.yaml').github;
    const app = { id: '4711', key: new Secret(appKey), keyFile: 'key.pem' };
    const access = await readGitHubAccess({ ...config, apiUrl: github.apiUrl }, { apiUrl: '', app }, reader);
    expect(await access.app()).toMatchObject({ id: 4711 });
    content = privateKey;
    const before = github.app.publicKey;
    github.app.publicKey = publicKey;
    const found = await access.app().finally(() => (github.app.publicKey = before));
    expect(found).toMatchObject({ id: 4711 });
    expect(masked).toContain(privateKey.split('\n')[1]);
  },
);
