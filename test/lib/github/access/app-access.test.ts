import { inspect } from 'node:util';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess, type AppOptions } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { buildRepository } from '../../../environment/github/bare-repository-builder.ts';
import { startGitHub } from '../../../environment/github/start-github.ts';
import { appKey, createAppKey, testApp } from '../app.ts';

const names = ['example/warehouse', 'example/other'] as const;

async function begin(given: Partial<AppOptions> = {}) {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-app-'));
  const repositories = await Promise.all(names.map((name) => buildRepository(gitRoot, name)));
  const commit = (await repositories[0]?.commit('main', { 'a.txt': 'a' })) ?? '';
  const github = await startGitHub({
    gitRoot,
    repositories: [
      { fullName: names[0], id: 77 },
      { fullName: names[1], id: 78 },
    ],
    tokens: {},
    app: testApp,
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true, force: true });
  });
  const { clock = systemClock } = given;
  const access = appAccess({ apiUrl: github.apiUrl, appId: testApp.id, privateKey: appKey, ...given });
  const port = createGitHubPort({ apiUrl: github.apiUrl, access, clock });
  const asked = (path: string) => github.requests.filter((request) => request.path.endsWith(path));
  return { github, port, commit, asked, access };
}

test('the App gets one token per repository, limited to this repository, and keeps it', async () => {
  const { port, commit, asked, access, github } = await begin();
  expect(await port.repository(77)).toEqual({
    id: 77,
    fullName: names[0],
    defaultBranch: 'main',
    node: 'R_77',
  });
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
  expect(await port.accountOf(names[0])).toBe('installation-9001');
  expect(asked('/installation')).toHaveLength(1);
  expect(asked('/access_tokens').map(({ body }) => body)).toEqual([{ repository_ids: [77] }]);
  const token = await access.tokenFor(77);
  const other = await fetch(`${github.apiUrl}/repos/${names[1]}/branches`, {
    headers: { authorization: `token ${token}`, 'user-agent': 'test' },
  });
  expect(other.status).toBe(404);
});

test('the comments of another bot do not belong to the App', async () => {
  const { port, github } = await begin();
  github.app.permissions = { ...github.app.permissions, pull_requests: 'write' };
  const pull = github.openPull(names[0], { head: 'main', base: 'main' });
  github.addComment(names[0], { pull, login: 'other[bot]', body: 'a' });
  const own = await port.comments.create(names[0], pull, 'b');
  const found = await port.comments.findAll(names[0], pull, async (comment) =>
    port.comments.isOwn(names[0], comment),
  );
  expect(found.map(({ id }) => id)).toEqual([own.id]);
});

test('a token that GitHub refuses is replaced once, and the call is repeated', async () => {
  const { github, port, commit, asked } = await begin();
  await port.repository(77);
  let refusals = 1;
  github.interfere(({ path }) =>
    path.includes('/git/ref/') && refusals-- > 0
      ? { status: 401, body: { message: 'Bad credentials' } }
      : undefined,
  );
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
  expect(asked('/access_tokens')).toHaveLength(2);
  github.interfere(({ path }) =>
    path.includes('/git/ref/') ? { status: 401, body: { message: 'Bad credentials' } } : undefined,
  );
  await expect(port.head(names[0], 'refs/heads/main')).rejects.toMatchObject({ code: 'github-failed' });
});

test('the error for a repository without the App names it and its fix, without any part of the key', async () => {
  const { port, github } = await begin();
  github.app.installation = undefined;
  const failure: unknown = await port.repository(77).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'github-failed',
    details: { cause: 'not-installed' },
    hint: expect.stringContaining('Install the GitHub App'),
  });
  const shown = inspect(failure, { depth: 10 });
  for (const line of appKey.split('\n').filter((text) => text.length > 20 && !text.startsWith('-'))) {
    expect(shown).not.toContain(line);
  }
  expect(shown).not.toMatch(/ghs_|eyJ/);
});

test('an invalid key is rejected at once and not quoted', () => {
  const make = () => appAccess({ apiUrl: 'http://127.0.0.1:1', appId: 1, privateKey: 'hush-hush' });
  expect(make).toThrow(/not a private key in PEM format/);
  expect(make).not.toThrow(/hush/);
});

test('nothing is sent during a pause that GitHub asked for', async () => {
  const { github, port } = await begin();
  await port.repository(77);
  github.interfere(() => ({
    status: 403,
    headers: { 'retry-after': '90' },
    body: { message: 'You have exceeded a secondary rate limit.' },
  }));
  const first: unknown = await port.relation(names[0], 'a', 'b').catch((error: unknown) => error);
  expect(first).toMatchObject({ details: { status: 403, pauseMs: 90_000 } });
  const sent = github.requests.length;
  github.interfere(undefined);
  await expect(port.head(names[0], 'refs/heads/main')).rejects.toMatchObject({ details: { status: 429 } });
  expect(github.requests).toHaveLength(sent);
});

const shifted = (ms: number) => ({ ...systemClock, now: () => Date.now() + ms });

test.each([
  ['45 seconds ahead', 45_000],
  ['half an hour ahead', 1_800_000],
  ['half an hour behind', -1_800_000],
])('an App works on a host whose clock is %s', async (_, ms) => {
  const { port, access, commit } = await begin({ clock: shifted(ms) });
  await port.repository(77);
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
  const { aheadMs = 0 } = (await access.app()) ?? {};
  // 45 seconds need no correction: a token is dated a minute back.
  expect(Math.round(aheadMs / 60_000)).toBe(Math.abs(ms) > 60_000 ? ms / 60_000 : 0);
});

test('if GitHub refuses the time of a token whatever it is, the hint names the clock and nothing else', async () => {
  const { port, github } = await begin();
  const message =
    "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  github.interfere(() => ({ status: 401, body: { message } }));
  await expect(port.repository(77)).rejects.toMatchObject({
    details: { cause: 'clock' },
    hint: expect.stringMatching(/^The clock of this host/),
  });
});

test('a key that was replaced is used from the next token on; while its file is not a key, the last one stays', async () => {
  let file = appKey;
  const { port, github, commit } = await begin({ privateKey: () => file });
  await port.repository(77);
  file = 'half a k';
  await port.repository(78);
  const { publicKey, privateKey } = createAppKey();
  github.app.publicKey = publicKey;
  await expect(port.installation(77)).rejects.toMatchObject({ details: { cause: 'key' } });
  file = privateKey;
  expect(await port.installation(77)).toMatchObject({ id: 9001 });
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
});

test('another App’s key, another App’s id and a missing installation have different errors', async () => {
  const { access } = await begin({ privateKey: createAppKey().privateKey });
  const other = await begin({ appId: 9999 });
  for (const one of [access, other.access])
    await expect(one.app()).rejects.toMatchObject({
      details: { cause: 'key' },
      hint: expect.stringContaining('key of the GitHub App'),
    });
});

test('an App that was removed and installed again, or whose repository was transferred, works without a restart', async () => {
  const { port, github, commit } = await begin();
  await port.repository(77);
  github.app.installation = undefined;
  await expect(port.head(names[0], 'refs/heads/main')).rejects.toMatchObject({
    details: { cause: 'not-installed' },
  });
  expect(port.accessState(77)).toBe('not-installed');
  github.app.installation = 9002;
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
  expect(await port.accountOf(names[0])).toBe('installation-9002');
  expect(port.accessState(77)).toBe('ok');
});

test.each([
  ['a 404', { status: 404, body: { message: 'Not Found' } }],
  ['a 403', { status: 403, body: { message: 'Forbidden' } }],
])('after %s the installation is looked up again, at most once a minute', async (_, refusal) => {
  let ms = 0;
  const { port, github, asked } = await begin({
    clock: { ...systemClock, now: () => Date.now() + ms },
  });
  await port.repository(77);
  const old = github.requests.findLast(({ path }) => path === '/repositories/77')?.headers.authorization;
  // The old installation's token is still valid, and no longer opens the repository.
  github.interfere(({ headers }) => (headers.authorization === old ? refusal : undefined));
  for (let i = 0; i < 3; i += 1)
    await expect(port.branches(names[0])).rejects.toMatchObject({ details: { status: refusal.status } });
  expect(asked('/installation')).toHaveLength(1);
  ms = 61_000;
  github.app.installation = 9002;
  expect(await port.branches(names[0])).toMatchObject([{ name: 'main' }]);
  expect(await port.accountOf(names[0])).toBe('installation-9002');
});

test('a suspended App has another error than a missing permission, and works again once unsuspended', async () => {
  const { port, github, commit } = await begin();
  await port.repository(77);
  github.app.isSuspended = true;
  for (let i = 0; i < 2; i += 1)
    await expect(port.head(names[0], 'refs/heads/main')).rejects.toMatchObject({
      details: { cause: 'suspended', status: 403 },
      hint: expect.stringContaining('suspended'),
    });
  expect(port.accessState(77)).toBe('suspended');
  expect(await port.installation(77)).toMatchObject({ isSuspended: true });
  github.app.isSuspended = false;
  expect(await port.head(names[0], 'refs/heads/main')).toBe(commit);
  expect(port.accessState(77)).toBe('ok');
});
