import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { temporaryRepository } from '../temporary-repository.ts';

const tooShort = expect.objectContaining({
  code: 'git-failed',
  message: expect.stringContaining('too little history'),
});

/** main: one — two; side, from one: three. */
function forked() {
  const repo = temporaryRepository();
  const one = repo.commit('one');
  repo.git('branch', 'side');
  const two = repo.commit('two');
  repo.git('checkout', '-q', 'side');
  const three = repo.commit('three');
  return { repo, one, two, three };
}

describe('ancestry', () => {
  test('the merge base of two branches is their last common commit', async () => {
    const { repo, one, two, three } = forked();
    using _ = repo;
    const opened = await openRepository(repo.directory);
    expect(await opened.mergeBase('main', 'side')).toBe(one);
    expect(await opened.isAncestor(one, three)).toBe(true);
    expect(await opened.isAncestor(two, three)).toBe(false);
    expect(await opened.isAncestor(two, two)).toBe(true);
  });

  test('unrelated histories have no merge base', async () => {
    using repo = temporaryRepository();
    repo.commit('one');
    repo.git('checkout', '-q', '--orphan', 'other');
    repo.commit('two');
    expect(await (await openRepository(repo.directory)).mergeBase('main', 'other')).toBeUndefined();
  });

  test('a branch contains its own commits and their ancestors', async () => {
    const { repo, one, three } = forked();
    using _ = repo;
    const opened = await openRepository(repo.directory);
    expect(await opened.branchesContaining(one)).toEqual(['main', 'side']);
    expect(await opened.branchContains(three, 'side')).toBe(true);
    expect(await opened.branchContains(three, 'main')).toBe(false);
    expect(await opened.branchContains(three, 'unknown')).toBe(false);
  });

  test('in a clone a branch of the remote counts under its own name', async () => {
    const { repo, three } = forked();
    using _ = repo;
    repo.git('checkout', '-q', 'main');
    using clone = temporaryRepository();
    clone.git('remote', 'add', 'origin', repo.directory);
    clone.git('fetch', '-q', 'origin');
    clone.git('remote', 'set-head', 'origin', 'main');
    expect(await (await openRepository(clone.directory)).branchesContaining(three)).toEqual(['side']);
  });

  test('a shallow clone fails instead of a false “no”', async () => {
    const { repo, one, two } = forked();
    using _ = repo;
    repo.git('checkout', '-q', 'main');
    const later = repo.commit('later');
    using clone = temporaryRepository();
    clone.git(
      'fetch',
      '-q',
      '--depth=1',
      `file://${repo.directory}`,
      'main:refs/remotes/origin/main',
      'side:refs/heads/side',
    );
    const opened = await openRepository(clone.directory);
    expect(await opened.isShallow()).toBe(true);
    expect(await opened.isAncestor(later, later)).toBe(true);
    await expect(opened.resolveCommit(one)).rejects.toThrow('shallow clone');
    await expect(opened.isAncestor('side', later)).rejects.toEqual(tooShort);
    await expect(opened.mergeBase('side', later)).rejects.toEqual(tooShort);
    await expect(opened.branchContains(later, 'side')).rejects.toEqual(tooShort);
    await expect(opened.isAncestor(two, later)).rejects.toThrow('shallow clone');
    expect((await opened.log(later)).map(({ subject }) => subject)).toEqual(['later']);
  });
});

describe('changes', () => {
  test('added, changed, deleted and renamed files are distinguished', async () => {
    using repo = temporaryRepository();
    repo.write('stays.sql', 'same');
    repo.write('changes.sql', 'before');
    repo.write('goes.sql', 'gone');
    repo.write('old name.orch.yaml', 'line of text\n'.repeat(20));
    const base = repo.commit('base');
    repo.write('changes.sql', 'after');
    repo.git('rm', '-q', 'goes.sql');
    repo.git('mv', 'old name.orch.yaml', 'größe\nnew.orch.yaml');
    repo.write('größe\nnew.orch.yaml', `${'line of text\n'.repeat(20)}and one more\n`);
    repo.write('dir/comes.sql', 'new');
    const head = repo.commit('head');
    const changes = await (await openRepository(repo.directory)).changedFiles(base, head);
    expect(changes.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      { status: 'added', path: 'dir/comes.sql' },
      { status: 'deleted', path: 'goes.sql' },
      { status: 'modified', path: 'changes.sql' },
      { status: 'renamed', path: 'größe\nnew.orch.yaml', oldPath: 'old name.orch.yaml' },
    ]);
  });

  test('a file that becomes a link has changed its type', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'x');
    const base = repo.commit('base');
    repo.git('rm', '-q', 'a.sql');
    repo.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${repo.git('rev-parse', `${base}:a.sql`)},a.sql`,
    );
    repo.git('commit', '-q', '-m', 'link');
    expect(await (await openRepository(repo.directory)).changedFiles(base, 'main')).toEqual([
      { status: 'type-changed', path: 'a.sql' },
    ]);
  });

  test('a diff program in the repository’s configuration is never run', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'x');
    const base = repo.commit('base');
    repo.write('a.sql', 'y');
    repo.write('.gitattributes', '*.sql diff=trap filter=trap');
    const head = repo.commit('head');
    for (const key of [
      'diff.external',
      'diff.trap.command',
      'diff.trap.textconv',
      'core.fsmonitor',
      'core.pager',
    ]) {
      repo.git('config', key, 'touch ran; cat');
    }
    repo.git('config', 'diff.orderFile', 'missing');
    const opened = await openRepository(repo.directory);
    expect(await opened.changedFiles(base, head)).toHaveLength(2);
    await opened.log(head);
    await opened.readFile(head, 'a.sql');
    expect(existsSync(nodePath.join(repo.directory, 'ran'))).toBe(false);
  });
});

describe('the log', () => {
  test('commits are listed newest first, with parents and authors, up to the limit', async () => {
    using repo = temporaryRepository();
    const one = repo.commit('one');
    const two = repo.commit('two: größe');
    repo.git('config', 'log.showSignature', 'true');
    const [newest, ...rest] = await (await openRepository(repo.directory)).log('main', { limit: 2 });
    expect(newest).toEqual({
      commit: two,
      parents: [one],
      authorName: 'Ada',
      authorEmail: 'ada@example.com',
      authoredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      committedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      subject: 'two: größe',
    });
    expect(rest).toEqual([expect.objectContaining({ commit: one, parents: [], subject: 'one' })]);
    expect(await (await openRepository(repo.directory)).log('main', { limit: 1 })).toHaveLength(1);
  });
});
