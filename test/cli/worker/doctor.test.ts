import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../flows/doctor/doctor.ts';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../../environment/github/start-github.ts';
import { appKey, testApp } from '../../lib/github/app.ts';
import { defaultSeed, type Platform, startPlatform } from '../../../platform/index.ts';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { testRedis } from '../../environment/redis.ts';
import {
  projectId,
  repositoryId,
  repositoryName,
  webhookSecret,
  workerFile,
} from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';

let folder = '';
let github: GitHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-doctor-'));
  const repository = await buildRepository(folder, repositoryName);
  await repository.commit('main', { 'a.txt': 'a' });
  github = await startGitHub({
    gitRoot: folder,
    repositories: [{ fullName: repositoryName, id: repositoryId }],
    app: testApp,
    tokens: {
      plain: { permissions: { contents: 'read', statuses: 'write' } },
      'sees-hooks': { permissions: { contents: 'read', statuses: 'write', repository_hooks: 'write' } },
      'sees-teams': { permissions: { contents: 'read', members: 'read' } },
      // Of a user without access.
      stranger: { permissions: {} },
    },
  });
  await writeFile(join(folder, 'key.pem'), appKey);
});

afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the doctor says of missed pushes, and whether it changed anything on GitHub. */
async function doctor(
  env: Readonly<Record<string, string>>,
  { more = '', args = [] as readonly string[], file = 'worker.yaml' } = {},
) {
  await writeFile(join(folder, file), `${workerFile()}\n${more}`);
  const { stdout } = await inProcess(['doctor', '--json', ...args], {
    cwd: folder,
    env: { ...env, GITHUB_API_URL: github.apiUrl },
  });
  await rm(join(folder, file));
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  return {
    checks,
    file: checks.find(({ what }) => what === file),
    missed: checks.find(({ what }) => what === `missed pushes of ${repositoryName}`),
  };
}

test('the doctor shows that missed pushes are found by comparing heads, with a hint for a better method', async () => {
  const { file, missed } = await doctor({ MILLRACE_GITHUB_TOKEN: 'plain' });
  expect(file).toMatchObject({ ok: true, message: '1 repository' });
  expect(missed).toMatchObject({
    ok: true,
    message: expect.stringContaining('by comparing the heads of branches and tags (heads)'),
    hint: expect.stringContaining('write permission for webhooks'),
  });
});

test('with permission for webhooks the doctor finds the webhook of the worker, or reports its absence', async () => {
  const token = { MILLRACE_GITHUB_TOKEN: 'sees-hooks' };
  expect((await doctor(token)).missed).toMatchObject({
    message: expect.stringContaining('(heads)'),
    hint: expect.stringContaining('/webhooks/github'),
  });
  const url = 'https://millrace.example.com';
  const events = ['push'];
  github.addHook({ place: repositoryName, url: `${url}/webhooks/github`, secret: 's', events });
  const { missed } = await doctor(token, { more: `url: ${url}` });
  expect(missed).toMatchObject({ ok: true, message: expect.stringContaining('(hook-deliveries)') });
  expect(missed?.hint).toBeUndefined();
  // Another worker's.
  expect((await doctor(token, { more: `url: https://elsewhere.example.com` })).missed?.message).toContain(
    '(heads)',
  );
});

test('the doctor with an App reads its deliveries, and requests no redelivery', async () => {
  github.addHook({ place: 'app', url: 'https://millrace.example.com/', secret: 's', events: ['push'] });
  const { missed } = await doctor({}, { more: 'github: { app-id: 4711, app-key-file: key.pem }' });
  expect(missed).toMatchObject({ ok: true, message: expect.stringContaining('(app-deliveries)') });
  const writes = github.requests.filter(
    ({ method, path }) => method !== 'GET' && !path.endsWith('/access_tokens'),
  );
  expect(writes).toEqual([]);
});

test('the doctor reports a missing or invalid GitHub credential of the worker with a hint', async () => {
  expect((await doctor({})).missed).toMatchObject({
    ok: false,
    message: expect.stringContaining('no credential for GitHub'),
    hint: expect.stringContaining('MILLRACE_GITHUB_TOKEN'),
  });
  expect((await doctor({ MILLRACE_GITHUB_TOKEN: 'nobody' })).missed).toMatchObject({ ok: false });
});

test('the doctor names a team that GitHub does not show to the worker', async () => {
  github.repository(repositoryName).memberships.set('platform/ada', 'active');
  const more = ['platform', 'secret'].map((team) => `"@example/${team}"`).join(', ');
  const teams = async (token: string) => {
    const { checks } = await doctor({ MILLRACE_GITHUB_TOKEN: token }, { more: `    approvers: [${more}]` });
    return checks.filter(({ what }) => what.startsWith('team ')).map(({ what, ok }) => [what, ok]);
  };
  expect(await teams('sees-teams')).toEqual([
    ['team @example/platform', true],
    ['team @example/secret', false],
  ]);
  expect(await teams('plain')).toEqual([
    ['team @example/platform', false],
    ['team @example/secret', false],
  ]);
});

test('the doctor fails for a missing file of --worker-config, but not without worker.yaml', async () => {
  const none = await inProcess(['doctor', '--json'], { cwd: folder });
  expect(none.stdout).not.toContain('worker.yaml');
  const named = await inProcess(['doctor', '--json', '--worker-config', 'other.yaml'], { cwd: folder });
  expect(named.stdout).toContain('other.yaml: This file does not exist in ');
  expect(named.stdout).toContain('name another file with --worker-config.');
  const { file } = await doctor(
    { MILLRACE_GITHUB_TOKEN: 'plain' },
    { file: 'other.yaml', args: ['--worker-config', 'other.yaml'] },
  );
  expect(file).toMatchObject({ ok: true });
});

describe('on a worker host, which has worker.yaml and no repository', () => {
  const redis = testRedis();
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ seed: defaultSeed });
  });
  afterAll(() => platform.close());

  const look = async (env: Readonly<Record<string, string>>) => {
    const project = platform.projectId;
    await writeFile(join(folder, 'worker.yaml'), workerFile().replace(projectId, project));
    const { code, stdout } = await inProcess(['doctor', '--json'], { cwd: folder, env });
    await rm(join(folder, 'worker.yaml'));
    return { code, checks: (JSON.parse(stdout) as { checks: readonly Check[] }).checks };
  };
  const complete = () => ({
    GITHUB_API_URL: github.apiUrl,
    MILLRACE_GITHUB_TOKEN: 'plain',
    MILLRACE_BASE_URL: platform.baseUrl,
    TOKEN: platform.tokens.admin,
    MILLRACE_WEBHOOK_SECRET: webhookSecret,
    MILLRACE_REDIS_URL: urlOf(redis.address),
  });

  test('the doctor passes if the worker has everything that it needs, and requires no project', async () => {
    const { code, checks } = await look(complete());
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(code).toBe(0);
    expect(checks.map(({ what }) => what)).toEqual([
      'Node',
      'worker.yaml',
      'webhook secret',
      'Redis',
      'credential platform',
      `project ${platform.projectId} of ${repositoryName}`,
      `missed pushes of ${repositoryName}`,
    ]);
  });

  test.each([
    ['Redis', { MILLRACE_REDIS_URL: 'redis://127.0.0.1:1' }, 'does not answer'],
    ['Redis', { MILLRACE_REDIS_URL: '', MILLRACE_INSTALL: 'never', PATH: '' }, 'No valkey-server'],
    ['webhook secret', { MILLRACE_WEBHOOK_SECRET: '' }, 'The webhook secret is not set'],
    ['credential platform', { TOKEN: '' }, 'TOKEN'],
    ['credential platform', { TOKEN: 'nobody' }, '401'],
    [`missed pushes of ${repositoryName}`, { MILLRACE_GITHUB_TOKEN: 'nobody' }, ''],
  ])('the doctor fails at %s with %j', async (what, env, message) => {
    const { code, checks } = await look({ ...complete(), ...env });
    expect(code).not.toBe(0);
    expect(checks.find((one) => one.what === what)).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
    expect(JSON.stringify(checks)).not.toContain('not a git repository');
  });
});

test('the doctor reports several problems of a file on several lines', async () => {
  await writeFile(join(folder, 'worker.yaml'), 'version: 1\nrepositories: []\n');
  const { stdout } = await inProcess(['doctor'], { cwd: folder, env: {} });
  await rm(join(folder, 'worker.yaml'));
  expect(stdout).not.toContain(String.raw`\n`);
  expect(stdout).toMatch(/FAIL worker\.yaml: .*2 problems:\n {5}1:1 .*\n {5}2:15 .*\n {5}how to fix: /);
});

test('the doctor reports whether millrace.yaml exists', async () => {
  const message = async () => {
    const { stdout } = await inProcess(['doctor', '--json'], { cwd: folder, env: {} });
    const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
    return checks.find(({ what }) => what === 'millrace.yaml')?.message;
  };
  expect(await message()).toBe('does not exist, so the defaults apply: no environments, no lanes');
  await writeFile(join(folder, 'millrace.yaml'), 'version: 1\nenvironments: [dev]\n');
  expect(await message()).toBe('1 environment, 0 lanes');
  await rm(join(folder, 'millrace.yaml'));
});

test('the doctor reports a millrace.yaml that cannot be read once', async () => {
  await writeFile(join(folder, 'millrace.yaml'), 'version: 1\nenviroments: [dev]\n');
  const { stdout } = await inProcess(['doctor'], { cwd: folder, env: {} });
  await rm(join(folder, 'millrace.yaml'));
  expect(stdout.match(/unknown key `enviroments`/g)).toHaveLength(1);
});

function urlOf(address: RedisAddress): string {
  if (address.kind === 'url') return address.url;
  return address.kind === 'socket'
    ? `unix://${address.path}`
    : `redis://:${encodeURIComponent(address.password)}@${address.host}:${address.port}`;
}
