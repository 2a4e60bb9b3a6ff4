import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseRemote, readRepositorySetup } from '../../../lib/git/repository-setup.ts';
import { temporaryRepository } from './temporary-repository.ts';

test.each([
  ['https://github.com/acme/warehouse.git', 'github.com', 'acme/warehouse'],
  ['https://name:secret@git.example.com/data/teams/warehouse/', 'git.example.com', 'data/teams/warehouse'],
  ['git@github.com:acme/warehouse.git', 'github.com', 'acme/warehouse'],
  ['ssh://git@git.example.com:2222/acme/warehouse', 'git.example.com', 'acme/warehouse'],
])('the remote %s has a host and a path, without a credential', (address, host, full) => {
  expect(parseRemote(address)).toEqual({ host, path: full });
});

test.each([
  '/srv/git/warehouse.git',
  '../warehouse',
  'C:/git/warehouse',
  'file:///srv/git/warehouse.git',
  '',
])('the remote "%s" has no host', (address) => {
  expect(parseRemote(address)).toBeUndefined();
});

test('a repository without a remote has its hooks in .git', async () => {
  using work = temporaryRepository();
  mkdirSync(path.join(work.directory, 'a b'));
  expect(await readRepositorySetup(path.join(work.directory, 'a b'))).toEqual({
    remote: undefined,
    defaultBranch: undefined,
    hooks: path.join(work.directory, '.git/hooks'),
    ignoresEnvFile: false,
  });
});

test('the default branch is the one of origin, although another remote comes first', async () => {
  using work = temporaryRepository();
  work.commit('first');
  for (const [name, branch] of [
    ['another', 'trunk'],
    ['origin', 'release/next'],
  ] as const) {
    work.git('remote', 'add', name, `https://github.com/${name}/warehouse.git`);
    work.git('update-ref', `refs/remotes/${name}/${branch}`, 'HEAD');
    work.git('symbolic-ref', `refs/remotes/${name}/HEAD`, `refs/remotes/${name}/${branch}`);
  }
  expect(await readRepositorySetup(work.directory)).toMatchObject({
    remote: { host: 'github.com', path: 'origin/warehouse' },
    defaultBranch: 'release/next',
  });
});

test('a folder of hooks inside the repository counts, and one that repositories share does not', async () => {
  using work = temporaryRepository();
  work.git('config', 'core.hooksPath', '.githooks');
  const { hooks } = await readRepositorySetup(work.directory);
  expect(hooks).toBe(path.join(work.directory, '.githooks'));
  work.git('config', 'core.hooksPath', path.join(tmpdir(), 'hooks of all'));
  expect((await readRepositorySetup(work.directory)).hooks).toBeUndefined();
});

test('a linked work tree has the hooks of its repository', async () => {
  using work = temporaryRepository();
  work.commit('first');
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-tree-'));
  try {
    work.git('worktree', 'add', '-q', path.join(folder, 'tree'));
    const { hooks } = await readRepositorySetup(path.join(folder, 'tree'));
    expect(hooks).toBe(path.join(work.directory, '.git/hooks'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
