import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { buildRepository, type RepositoryBuilder } from '../../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../../environment/github/start-github.ts';

const name = 'example/warehouse';

async function begin(): Promise<{ github: GitHub; port: GitHubPort; repository: RepositoryBuilder }> {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-port-'));
  const repository = await buildRepository(gitRoot, name);
  const github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    repositories: [{ fullName: name, id: 77 }],
    tokens: { worker: { permissions: { contents: 'read', statuses: 'write' } } },
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true, force: true });
  });
  const port = createGitHubPort({
    apiUrl: github.apiUrl,
    access: tokenAccess(() => 'worker'),
    clock: systemClock,
  });
  return { github, port, repository };
}

test('a repository is found by its id, whatever its name', async () => {
  const { port, repository } = await begin();
  await repository.commit('main', { 'a.txt': 'a' });
  expect(await port.repository(77)).toEqual({ id: 77, fullName: name, defaultBranch: 'main', node: 'R_77' });
  await expect(port.repository(78)).rejects.toMatchObject({ code: 'github-failed' });
});

test('the head of a tag, an annotated tag and a branch is a commit; a deleted ref has none', async () => {
  const { port, repository } = await begin();
  const commit = await repository.commit('main', { 'a.txt': 'a' });
  await repository.tag('plain', commit);
  await repository.tag('annotated', commit, 'with words');
  for (const ref of ['refs/heads/main', 'refs/tags/plain', 'refs/tags/annotated']) {
    expect(await port.head(name, ref)).toBe(commit);
  }
  expect(await port.head(name, 'refs/heads/gone')).toBeUndefined();
});

test('a file is read at a commit; a missing one is undefined', async () => {
  const { port, repository } = await begin();
  const first = await repository.commit('main', { 'millrace.yaml': 'version: 1 # ä\n' });
  const second = await repository.commit('main', { 'millrace.yaml': null, 'b.txt': 'b' });
  expect(await port.textAt(name, 'millrace.yaml', first)).toBe('version: 1 # ä\n');
  expect(await port.textAt(name, 'millrace.yaml', second)).toBeUndefined();
  expect(await port.textAt(name, 'millrace.yaml', 'f'.repeat(40))).toBeUndefined();
  expect(await port.parentOf(name, second)).toBe(first);
  expect(await port.parentOf(name, first)).toBeUndefined();
});

test('commits compare as newer, older, equal, or on another branch', async () => {
  const { port, repository } = await begin();
  const first = await repository.commit('main', { 'a.txt': 'a' });
  const second = await repository.commit('main', { 'a.txt': 'b' });
  const other = await repository.commit('other', { 'a.txt': 'c' }, { from: first });
  expect(await port.relation(name, first, second)).toBe('ahead');
  expect(await port.relation(name, second, first)).toBe('behind');
  expect(await port.relation(name, first, first)).toBe('identical');
  expect(await port.relation(name, second, other)).toBe('diverged');
  expect(await port.branches(name)).toEqual([
    { name: 'main', commit: second },
    { name: 'other', commit: other },
  ]);
});

const by = (person: string) => ({ name: person, email: `${person}@example.com` });

test('the authors and committers of the commits between two commits are read, with their ids', async () => {
  const { github, port, repository } = await begin();
  const { accounts } = github.repository(name);
  for (const [i, login] of ['ada', 'grace', 'trent'].entries())
    accounts.set(by(login).email, { id: i + 1, login });
  accounts.set('noreply@example.com', { id: 9, login: 'web-flow' });
  const website = { name: 'web', email: 'noreply@example.com' };
  const first = await repository.commit('main', { 'a.txt': 'a' }, { author: by('mallory') });
  const second = await repository.commit('main', { 'a.txt': 'b' }, { author: by('ada'), committer: website });
  const third = await repository.commit(
    'main',
    { 'a.txt': 'c' },
    { author: by('grace'), committer: by('trent') },
  );
  const people = [
    { login: 'ada', id: 1 },
    { login: 'grace', id: 2 },
    { login: 'trent', id: 3 },
  ];
  expect(await port.authorsBetween(name, first, third)).toEqual({ people, isComplete: true });
  expect(await port.authorsBetween(name, second, third)).toEqual({
    people: people.slice(1),
    isComplete: true,
  });
  expect(await port.authorsBetween(name, third, first)).toEqual({ people: [], isComplete: true });
  // On another branch: only what the other branch does not contain.
  const other = await repository.commit('other', { 'a.txt': 'd' }, { from: second, author: by('ada') });
  expect(await port.authorsBetween(name, third, other)).toEqual({
    people: people.slice(0, 1),
    isComplete: true,
  });
});

test('the authors are incomplete if GitHub knows no account of one, and unknown if it cannot compare', async () => {
  const { github, port, repository } = await begin();
  github.repository(name).accounts.set(by('ada').email, { id: 1, login: 'ada' });
  const first = await repository.commit('main', { 'a.txt': 'a' });
  await repository.commit('main', { 'a.txt': 'b' }, { author: by('ada'), committer: by('stranger') });
  const head = await repository.commit('main', { 'a.txt': 'c' }, { author: by('ada') });
  const people = [{ login: 'ada', id: 1 }];
  expect(await port.authorsBetween(name, first, head)).toEqual({ people, isComplete: false });
  expect(await port.authorsBetween(name, 'f'.repeat(40), head)).toBeUndefined();
});

test('a comparison is read page by page, and is incomplete after the last page that is read', async () => {
  const { github, port } = await begin();
  let total = 250;
  github.interfere(({ path, query }) => {
    if (!path.includes('/compare/')) return undefined;
    const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
    const count = Math.max(0, Math.min(size, total - (page - 1) * size));
    const commits = Array.from({ length: count }, (_, i) => {
      const account = { id: page * 1_000 + i, login: `author-${page}-${i}` };
      return { author: account, committer: account };
    });
    return { status: 200, body: { status: 'ahead', total_commits: total, commits } };
  });
  const read = async () => {
    const from = github.requests.length;
    const found = await port.authorsBetween(name, 'a'.repeat(40), 'b'.repeat(40));
    return {
      people: found?.people.length,
      isComplete: found?.isComplete,
      requests: github.requests.length - from,
    };
  };
  expect(await read()).toEqual({ people: 250, isComplete: true, requests: 3 });
  total = 100;
  expect(await read()).toEqual({ people: 100, isComplete: true, requests: 1 });
  total = 1_001;
  expect(await read()).toEqual({ people: 1_000, isComplete: false, requests: 10 });
});

test('a redirect is not followed, so the token is not sent to another host', async () => {
  const { github, port } = await begin();
  let visits = 0;
  const elsewhere = createServer((_, response) => {
    visits += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  onTestFinished(() => void elsewhere.close());
  const address = elsewhere.address();
  const target = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
  github.interfere(() => ({ status: 302, headers: { location: target }, body: {} }));
  await expect(port.textAt(name, 'millrace.yaml', 'a'.repeat(40))).rejects.toMatchObject({
    code: 'github-failed',
  });
  expect(visits).toBe(0);
});
