import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { findChangedFiles } from '../../../../lib/github/workflow-run/changed-files.ts';
import { type GitHubConnection } from '../../../../lib/github/workflow-run/connect-github.ts';
import { createOctokit } from '../../../../lib/github/access/octokit.ts';
import { createPooledFetch } from '../../../../lib/github/access/pooled-fetch.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();
const git = promisify(execFile);

describe('changed files', () => {
  const trouble: string[] = [];
  const changed = {
    files: [
      'modified a.orch.yaml',
      'renamed c d.orch.yaml < b.orch.yaml',
      'deleted gone.orch.yaml',
    ].toSorted(),
  };

  async function find(connection: GitHubConnection | undefined, given = here.target) {
    trouble.length = 0;
    const local = await openRepository(here.builder.path);
    const found = await findChangedFiles(given, {
      connection,
      repository: local,
      fetch: { directory: here.builder.path },
      onFallback: (sentence) => trouble.push(sentence),
    });
    return (
      found && {
        files: found.files
          .map(({ status, path, oldPath }) => [status, path, ...(oldPath ? ['<', oldPath] : [])].join(' '))
          .toSorted(),
        description: found.description,
      }
    );
  }

  test('of a pull request come from GitHub, with new and old names and deleted files', async () => {
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      description: expect.stringContaining('pull request 1'),
    });
  });

  test('of a push come from a comparison', async () => {
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
  });

  test('of a run for an older head come from git, because GitHub lists the files of the newer one', async () => {
    const older = (await here.github.repository(repository).git.commit('main')) ?? '';
    const found = await find(here.connect('writer'), { ...here.target, commit: older });
    expect(found?.files).toEqual([]);
    expect(trouble[0]).toContain('has a newer commit');
  });

  test.each(['writer', undefined])(
    'of a forced push back are those that it takes away, from GitHub or git (token %s)',
    async (token) => {
      const back = (await here.github.repository(repository).git.commit('main')) ?? '';
      const { pullRequest: _, ...push } = here.target;
      const target = { ...push, kind: 'branch', base: here.head, commit: back } as const;
      const found = await find(token === undefined ? undefined : here.connect(token), target);
      expect(found?.files).toEqual([
        'added gone.orch.yaml',
        'modified a.orch.yaml',
        'renamed b.orch.yaml < c d.orch.yaml',
      ]);
    },
  );

  test('come from git where GitHub lists none, because it may not have made its list yet', async () => {
    here.github.interfere(({ path }) => (path.endsWith('/files') ? { status: 200, body: [] } : undefined));
    expect(await find(here.connect('writer'))).toMatchObject(changed);
    expect(trouble[0]).toContain('GitHub lists no changed file');
  });

  test('of a tag that was moved are all files', async () => {
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), { ...push, kind: 'tag', branch: '' })).toBeUndefined();
  });

  test('come from git where GitHub refuses, and the reason is reported', async () => {
    here.github.interfere(() => ({
      status: 403,
      body: '{"message":"Resource not accessible by integration"}',
    }));
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      description: expect.stringContaining('in git'),
    });
    expect(trouble[0]).toContain('"pull-requests: read"');
  });

  test('come from git where a web page answers instead of GitHub, and are never empty', async () => {
    here.github.interfere(() => ({ status: 200, body: '<html>log in</html>' }));
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      description: expect.stringContaining('in git'),
    });
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('the answer does not have the format of its API');
  });

  test('come from git where the list may be incomplete', async () => {
    const files = Array.from({ length: 300 }, (_, i) => ({ filename: `f${String(i)}`, status: 'added' }));
    here.github.interfere((request) =>
      request.path.includes('/compare/') ? { status: 200, body: { status: 'ahead', files } } : undefined,
    );
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('300');
  });

  test.each([
    ['a pull request of 3,001 files', 3_001, 'pull request'],
    ['a push of 301 files', 301, 'push'],
  ])(
    'of %s are complete, because git lists them',
    async (_, count, event) => {
      const names = Array.from({ length: count }, (__, i) => `many/${String(i).padStart(4, '0')}.orch.yaml`);
      const branch = `many-${String(count)}`;
      const base = (await here.github.repository(repository).git.commit('main')) ?? '';
      const commit = await here.builder.commit(
        branch,
        Object.fromEntries(names.map((name) => [name, 'x\n'])),
        {
          from: 'main',
        },
      );
      const number = here.github.openPull(repository, { head: branch, base: 'main' });
      const { pullRequest: ___, ...push } = { ...here.target, base, commit };
      const given = event === 'push' ? push : { ...push, pullRequest: number };
      const found = await find(here.connect('writer'), given);
      expect(found?.files).toEqual(names.map((name) => `added ${name}`));
      expect(found?.description).toContain('in git');
      expect(trouble[0]).toContain('3,000');
      // Writing thousands of files to a repository takes long on a busy machine.
    },
    90_000,
  );

  test('count as changed where GitHub reports zero changes, beyond 20,000 lines in one answer', async () => {
    const long = Array.from({ length: 20_001 }, (_, line) => `select ${String(line)};\n`).join('');
    const base = (await here.github.repository(repository).git.commit('main')) ?? '';
    const changes = { 'a-long.sql': long, 'z.orch.yaml': 'changed\n' };
    const commit = await here.builder.commit('long', changes, { from: 'main' });
    const number = here.github.openPull(repository, { head: 'long', base: 'main' });
    const found = await find(here.connect('writer'), { ...here.target, base, commit, pullRequest: number });
    const { data: listed } = await createOctokit({
      apiUrl: here.github.apiUrl,
      token: 'writer',
      fetch: createPooledFetch({ timeoutMs: 10_000 }),
    }).request(`GET /repos/${repository}/pulls/${number}/files`);
    expect(listed).toEqual(
      expect.arrayContaining([expect.objectContaining({ filename: 'z.orch.yaml', changes: 0 })]),
    );
    expect(found).toMatchObject({
      files: ['added a-long.sql', 'added z.orch.yaml'],
      description: expect.stringContaining('pull request'),
    });
  });

  test('are unknown without a base', async () => {
    const { base: _, ...without } = here.target;
    expect(await find(here.connect('writer'), without)).toBeUndefined();
  });

  describe('of a pull request at depth 1, where GitHub refuses its list,', () => {
    beforeEach(() => here.github.interfere(() => ({ status: 503, body: 'no' })));

    /** The changed files in a check-out of only the first merge commit and the head. */
    async function findShallow(name: string, given: typeof here.target) {
      trouble.length = 0;
      const [merge = ''] = given.mergeCommits ?? [];
      const folder = await mkdtemp(join(here.folder, `${name}-`));
      const inFolder = (...args: string[]) => git('git', ['-C', folder, ...args]);
      await inFolder('init', '--quiet');
      await inFolder('remote', 'add', 'origin', `file://${here.builder.path}`);
      await inFolder('fetch', '--quiet', '--depth=1', 'origin', merge, given.commit);
      await inFolder('checkout', '--quiet', merge);
      const found = await findChangedFiles(given, {
        connection: here.connect('writer'),
        repository: await openRepository(folder),
        fetch: { directory: folder },
        onFallback: (sentence) => trouble.push(sentence),
      });
      return found?.files.map(({ status, path }) => `${status} ${path}`).toSorted();
    }

    const bare = async (...args: string[]) =>
      (
        await git('git', [
          '-c',
          'user.name=o',
          '-c',
          'user.email=o@example.com',
          '-C',
          here.builder.path,
          ...args,
        ])
      ).stdout.trim();
    const merged = async (onto: string, head: string) => {
      const tree = await bare('merge-tree', '--write-tree', onto, head);
      return bare('commit-tree', tree, '-p', onto, '-p', head, '-m', 'Merge');
    };
    const ofHead = ['deleted gone.orch.yaml', 'modified a.orch.yaml', 'renamed c d.orch.yaml'];

    test('are the changes of the merge commit relative to the base, which may have new commits', async () => {
      const moved = await here.builder.commit('moved', { 'other.orch.yaml': 'x\n' }, { from: 'main' });
      const mergeCommits = [await merged(moved, here.head)];
      expect(await findShallow('moved', { ...here.target, mergeCommits })).toEqual(ofHead);
    });

    test('are not from a merge of an older head, but from the next matching one', async () => {
      const older = await here.builder.commit('older', { 'a.orch.yaml': 'older\n' }, { from: 'main' });
      const mergeCommits = [await merged('main', older), await merged('main', here.head)];
      expect(await findShallow('older', { ...here.target, mergeCommits })).toEqual(ofHead);
      expect(await findShallow('stale', { ...here.target, mergeCommits: mergeCommits.slice(0, 1) })).toBe(
        undefined,
      );
      expect(trouble.at(-1)).toContain('Git cannot list the changed files');
    });

    test('are unknown where the base moved a file that the head changed', async () => {
      const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
      await here.builder.commit('before', { 'long.orch.yaml': lines }, { from: 'main' });
      const change = { 'long.orch.yaml': `${lines}more\n` };
      const commit = await here.builder.commit('change', change, { from: 'before' });
      const move = { 'long.orch.yaml': null, 'far/long.orch.yaml': lines };
      const base = await here.builder.commit('before', move);
      const mergeCommits = [await merged(base, commit)];
      expect(await findShallow('file', { ...here.target, base, commit, mergeCommits })).toBe(undefined);
    });
  });
});
