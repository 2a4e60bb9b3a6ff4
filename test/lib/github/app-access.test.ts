import { inspect } from 'node:util';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { appAccess } from '../../../lib/github/app-access.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import { startGitHub } from '../../environment/github/start-github.ts';
import { appKey, testApp } from './app.ts';

const names = ['example/warehouse', 'example/other'] as const;

async function begin(appId = testApp.id) {
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
  const access = appAccess({ apiUrl: github.apiUrl, appId, privateKey: appKey });
  const port = createGitHubPort({ apiUrl: github.apiUrl, access, clock: systemClock });
  const asked = (path: string) => github.requests.filter((request) => request.path.endsWith(path));
  return { github, port, commit, asked, access };
}

test('the App gets one token per repository, limited to this repository, and keeps it', async () => {
  const { port, commit, asked, access, github } = await begin();
  expect(await port.repository(77)).toEqual({ id: 77, fullName: names[0], defaultBranch: 'main' });
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
  const { port } = await begin(9999);
  const failure: unknown = await port.repository(77).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'github-failed',
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
