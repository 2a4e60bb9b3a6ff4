import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, rmSync } from 'node:fs';
import nodePath from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../lib/git/repository.ts';
import { temporaryRepository } from './temporary-repository.ts';

const gitFailed = (words: string) =>
  expect.objectContaining({ code: 'git-failed', message: expect.stringContaining(words) });

describe('opening', () => {
  test('a folder inside the work tree is known by its prefix', async () => {
    using repo = temporaryRepository();
    repo.write('projects/finance team/millrace.yaml', 'version: 1\n');
    repo.commit('first');
    const opened = await openRepository(nodePath.join(repo.directory, 'projects/finance team'));
    expect(opened.root).toBe(repo.directory);
    expect(opened.prefix).toBe('projects/finance team');
  });

  test('a bare repository opens at its git folder and reads like any other', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'select 1');
    const commit = repo.commit('first');
    using bare = temporaryRepository('--bare');
    bare.git('fetch', '-q', repo.directory, 'main:main');
    const opened = await openRepository(bare.directory);
    expect([opened.root, opened.prefix]).toEqual([bare.directory, '']);
    expect((await opened.readFile(commit, 'a.sql'))?.toString()).toBe('select 1');
  });

  test('a folder without a repository and a folder that is not there both say so', async () => {
    using repo = temporaryRepository();
    const empty = nodePath.join(repo.directory, 'missing');
    await expect(openRepository(empty)).rejects.toEqual(gitFailed('does not exist'));
    repo.git('config', 'core.bare', 'false');
    await expect(openRepository('/')).rejects.toEqual(gitFailed('not a git repository'));
  });

  test('a repository that another user owns can be read, and only because it was asked for', async () => {
    using repo = temporaryRepository();
    repo.write('deep/a.sql', 'select 1');
    const commit = repo.commit('first');
    const environment = { ...process.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
    expect(() =>
      execFileSync('git', ['status'], { cwd: repo.directory, env: environment, stdio: 'pipe' }),
    ).toThrow('dubious');
    const opened = await openRepository(nodePath.join(repo.directory, 'deep'), { environment });
    expect(await opened.resolveCommit('HEAD')).toBe(commit);
  });

  test('variables of a running hook do not lead to another repository', async () => {
    using repo = temporaryRepository();
    const commit = repo.commit('first');
    using other = temporaryRepository();
    const environment = {
      ...process.env,
      GIT_DIR: nodePath.join(other.directory, '.git'),
      GIT_WORK_TREE: other.directory,
    };
    const opened = await openRepository(repo.directory, { environment });
    expect(opened.root).toBe(repo.directory);
    expect(await opened.resolveCommit('HEAD')).toBe(commit);
  });

  test('without a repository, the hint says what to do if the git folder is elsewhere', async () => {
    using other = temporaryRepository();
    using work = temporaryRepository();
    rmSync(nodePath.join(work.directory, '.git'), { recursive: true });
    const gitFolder = nodePath.join(other.directory, '.git');
    const environment = { ...process.env, GIT_DIR: gitFolder };
    await expect(openRepository(work.directory, { environment })).rejects.toMatchObject({
      code: 'git-failed',
      hint: expect.stringContaining('`gitdir: <path>`'),
    });
    work.write('.git', `gitdir: ${gitFolder}\n`);
    expect((await openRepository(work.directory, { environment })).root).toBe(work.directory);
  });

  test('a folder whose name holds quotes, dollars and a line feed opens', async () => {
    using repo = temporaryRepository();
    const odd = nodePath.join(repo.directory, 'it\'s "$HOME" `x`\nß');
    mkdirSync(odd);
    expect((await openRepository(odd)).prefix).toBe('it\'s "$HOME" `x`\nß');
  });

  test('without a git command the failure says what to install', async () => {
    using repo = temporaryRepository();
    const opening = openRepository(repo.directory, { environment: { PATH: repo.directory } });
    await expect(opening).rejects.toEqual(gitFailed('could not be started'));
  });
});

describe('resolving', () => {
  test('an annotated tag, also of a tag, is peeled to its commit', async () => {
    using repo = temporaryRepository();
    const commit = repo.commit('first');
    repo.git('tag', '-a', '-m', 'one', 'v1');
    repo.git('tag', '-a', '-m', 'two', 'v2', 'v1');
    const opened = await openRepository(repo.directory);
    expect(await opened.resolveCommit('v1')).toBe(commit);
    expect(await opened.resolveCommit('refs/tags/v2')).toBe(commit);
    expect(await opened.tags()).toEqual(
      expect.arrayContaining([
        { name: 'v1', commit },
        { name: 'v2', commit },
      ]),
    );
  });

  test.each(['v9', '--all', '-h', 'main --', '', 'HEAD\nmain'])(
    'the unknown ref %j is named, and is not an option',
    async (ref) => {
      using repo = temporaryRepository();
      repo.commit('first');
      const opened = await openRepository(repo.directory);
      const named = ref.replace('\n', '?');
      await expect(opened.resolveCommit(ref)).rejects.toEqual(gitFailed(`commit "${named}"`));
    },
  );

  test('in an empty repository HEAD names an unborn branch and no commit', async () => {
    using repo = temporaryRepository();
    const opened = await openRepository(repo.directory);
    expect(await opened.headBranch()).toBe('main');
    expect(await opened.tags()).toEqual([]);
    await expect(opened.resolveCommit('HEAD')).rejects.toEqual(gitFailed('no commit yet'));
  });

  test('a detached HEAD is on no branch', async () => {
    using repo = temporaryRepository();
    repo.commit('first');
    repo.git('checkout', '-q', '--detach');
    expect(await (await openRepository(repo.directory)).headBranch()).toBeUndefined();
  });
});

describe('files', () => {
  const oddNames = [
    'a b.sql',
    'folder with end /x.sql',
    'it\'s "quoted".sql',
    'line\nfeed.sql',
    'größe.sql',
    ':colon*?.sql',
    '-dash.sql',
    'back\\slash.sql',
  ];

  test('every name that git can hold is listed and read', async () => {
    using repo = temporaryRepository();
    for (const name of oddNames) repo.write(name, `-- ${name}`);
    const commit = repo.commit('odd');
    const opened = await openRepository(repo.directory);
    const tree = await opened.listTree(commit);
    expect(tree.map(({ path }) => path).toSorted()).toEqual(oddNames.toSorted());
    const contents = await opened.readFiles(commit, oddNames);
    for (const name of oddNames) expect(contents.get(name)?.toString()).toBe(`-- ${name}`);
    expect((await opened.readFile(commit, 'line\nfeed.sql'))?.toString()).toBe('-- line\nfeed.sql');
  });

  test('what is read is the commit, not the work tree', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'committed');
    const commit = repo.commit('first');
    repo.write('a.sql', 'dirty');
    repo.write('new.sql', 'untracked');
    const opened = await openRepository(repo.directory);
    expect((await opened.readFile(commit, 'a.sql'))?.toString()).toBe('committed');
    expect((await opened.listTree(commit)).map(({ path }) => path)).toEqual(['a.sql']);
  });

  test('the list says mode and kind, and can be limited to a folder', async () => {
    using repo = temporaryRepository();
    repo.write('a/b/run.py', 'print()');
    repo.write('ab/c.sql', 'x');
    symlinkSync('run.py', nodePath.join(repo.directory, 'a/b/link.py'));
    repo.commit('first');
    const tree = await (await openRepository(repo.directory)).listTree('main', { under: 'a/' });
    expect(tree.map(({ path, mode, type }) => ({ path, mode, type }))).toEqual([
      { path: 'a/b/link.py', mode: '120000', type: 'blob' },
      { path: 'a/b/run.py', mode: '100644', type: 'blob' },
    ]);
  });

  test('a file that the commit does not have is absent, a folder is not a file', async () => {
    using repo = temporaryRepository();
    repo.write('a/b.sql', 'x');
    const commit = repo.commit('first');
    const opened = await openRepository(repo.directory);
    expect(await opened.readFile(commit, 'a')).toBeUndefined();
    expect(await opened.readFile(commit, 'b.sql')).toBeUndefined();
    expect([...(await opened.readFiles(commit, ['a/b.sql', 'nope'])).keys()]).toEqual(['a/b.sql']);
  });

  test('several hundred files, empty ones too, are read whole', async () => {
    using repo = temporaryRepository();
    const names = Array.from({ length: 400 }, (_, i) => `f/${i}.sql`);
    for (const [i, name] of names.entries()) repo.write(name, 'x\n'.repeat(i));
    const commit = repo.commit('many');
    const contents = await (await openRepository(repo.directory)).readFiles(commit, names);
    expect(names.map((name) => contents.get(name)?.length)).toEqual(names.map((_, i) => 2 * i));
  });

  test('a file above the limit is refused with both sizes', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'x'.repeat(100));
    const commit = repo.commit('first');
    const opened = await openRepository(repo.directory);
    await expect(opened.readFile(commit, 'a.sql', { maxBytes: 99 })).rejects.toEqual(
      gitFailed('100 bytes, more than the limit of 99'),
    );
    expect((await opened.readFile(commit, 'a.sql', { maxBytes: 100 }))?.length).toBe(100);
  });

  test('a blob can be read by its id alone', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'select 1');
    repo.commit('first');
    const opened = await openRepository(repo.directory);
    const [entry] = await opened.listTree('HEAD');
    expect((await opened.readBlob(entry?.oid ?? '')).toString()).toBe('select 1');
    await expect(opened.readBlob(entry?.oid ?? '', { maxBytes: 1 })).rejects.toEqual(gitFailed('8 bytes'));
  });

  test('a tag on a file is not a tag of a commit', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'select 1');
    const commit = repo.commit('first');
    repo.git('tag', 'blob', 'HEAD:a.sql');
    repo.git('tag', 'light');
    const opened = await openRepository(repo.directory);
    expect(await opened.tags()).toEqual([{ name: 'light', commit }]);
    await expect(opened.resolveCommit('blob')).rejects.toEqual(gitFailed('commit "blob"'));
  });

  test('a replaced object does not replace the real one', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'real');
    const commit = repo.commit('first');
    repo.write('b.sql', 'false');
    repo.commit('second');
    repo.git('replace', `${commit}:a.sql`, 'HEAD:b.sql');
    expect((await (await openRepository(repo.directory)).readFile(commit, 'a.sql'))?.toString()).toBe('real');
  });
});

describe('cancelling', () => {
  test('an aborted signal rejects with its own reason and runs nothing', async () => {
    using repo = temporaryRepository();
    repo.commit('first');
    const opened = await openRepository(repo.directory);
    const signal = AbortSignal.abort(new Error('the user said stop'));
    await expect(opened.resolveCommit('HEAD', { signal })).rejects.toThrow('the user said stop');
    await expect(opened.listTree('HEAD', { signal })).rejects.toThrow('the user said stop');
    await expect(openRepository(repo.directory, { signal })).rejects.toThrow('the user said stop');
  });

  test('a git that is already at work is ended', async () => {
    using repo = temporaryRepository();
    repo.commit('first');
    const real = repo.git('--exec-path');
    repo.write('bin/git', `#!/bin/sh\n[ -e slow ] && exec sleep 60\nexec '${real}/git' "$@"\n`);
    chmodSync(nodePath.join(repo.directory, 'bin/git'), 0o755);
    const environment = { ...process.env, PATH: `${repo.directory}/bin:${process.env['PATH'] ?? ''}` };
    const opened = await openRepository(repo.directory, { environment });
    repo.write('slow', '');
    const controller = new AbortController();
    const resolving = opened.resolveCommit('HEAD', { signal: controller.signal });
    controller.abort(new Error('the user said stop'));
    await expect(resolving).rejects.toThrow('the user said stop');
  });
});

describe('unusual repositories', () => {
  test('ids of 64 digits are ids too', async () => {
    using repo = temporaryRepository('--object-format=sha256');
    repo.write('a.sql', 'select 1');
    const commit = repo.commit('first');
    expect(commit).toHaveLength(64);
    expect((await (await openRepository(repo.directory)).readFile(commit, 'a.sql'))?.toString()).toBe(
      'select 1',
    );
  });

  test('what a partial clone lacks is not fetched, and no program of its configuration is started', async () => {
    using repo = temporaryRepository();
    repo.write('a.sql', 'select 1');
    const commit = repo.commit('first');
    repo.git('config', 'uploadpack.allowFilter', 'true');
    using clone = temporaryRepository();
    clone.git('remote', 'add', 'origin', `file://${repo.directory}`);
    clone.git('fetch', '-q', '--filter=blob:none', 'origin', 'main');
    clone.git('remote', 'set-url', 'origin', 'ssh://git@example.com/x.git');
    clone.git('config', 'core.sshCommand', 'touch ran; false');
    clone.git('config', 'protocol.allow', 'always');
    clone.git('config', 'protocol.ssh.allow', 'always');
    const opened = await openRepository(clone.directory, { environment: process.env });
    await expect(opened.readFile(commit, 'a.sql')).rejects.toEqual(
      gitFailed('this is a partial clone, which does not have all files'),
    );
    expect(existsSync(nodePath.join(clone.directory, 'ran'))).toBe(false);
  });

  test('a linked work tree inside another repository opens at its own root', async () => {
    using repo = temporaryRepository();
    const commit = repo.commit('first');
    using other = temporaryRepository();
    other.commit('other');
    const tree = nodePath.join(other.directory, 'tree');
    repo.git('worktree', 'add', '-q', '--detach', tree);
    const opened = await openRepository(tree);
    expect([opened.root, await opened.resolveCommit('HEAD')]).toEqual([tree, commit]);
  });
});

test('the commits since another one are counted, the newest are listed, and a folder can be chosen', async () => {
  using repo = temporaryRepository();
  repo.write('a.txt', '1');
  const base = repo.commit('first');
  for (const name of ['b', 'c', 'd']) {
    repo.write(`${name}/file.txt`, name);
    repo.commit(name);
  }
  const opened = await openRepository(nodePath.join(repo.directory, 'b'));
  const head = await opened.resolveCommit('HEAD');
  const subjects = async (options: { readonly limit?: number; readonly under?: string }) => {
    const { count, newest } = await opened.commitsSince(base, head, options);
    return [count, newest.map(({ subject }) => subject)];
  };
  expect(await subjects({ limit: 2 })).toEqual([3, ['d', 'c']]);
  expect(await subjects({ under: 'c' })).toEqual([1, ['c']]);
  expect(await opened.commitsSince(head, base)).toEqual({ count: 0, newest: [] });
  const changed = await opened.lastChange(head, 'c/file.txt');
  expect((await opened.log(changed ?? '', { limit: 1 })).map(({ subject }) => subject)).toEqual(['c']);
});
