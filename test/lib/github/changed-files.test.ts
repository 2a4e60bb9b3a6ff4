import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../lib/git/repository.ts';
import { findChangedFiles } from '../../../lib/github/changed-files.ts';
import { type GitHubConnection } from '../../../lib/github/connection.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

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
      onTrouble: (sentence) => trouble.push(sentence),
    });
    return (
      found && {
        files: found.files
          .map(({ status, path, oldPath }) => [status, path, ...(oldPath ? ['<', oldPath] : [])].join(' '))
          .toSorted(),
        way: found.way,
      }
    );
  }

  test('of a pull request come from GitHub with new and old names and what is gone', async () => {
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('pull request 1'),
    });
  });

  test('of a push come from a comparison', async () => {
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
  });

  test('come from git where GitHub refuses, and the reason is told', async () => {
    here.github.interfere(() => ({
      status: 403,
      body: '{"message":"Resource not accessible by integration"}',
    }));
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('in git'),
    });
    expect(trouble[0]).toContain('"pull-requests: read"');
  });

  test('come from git where something in between answers a page of its own, and never count as none', async () => {
    here.github.interfere(() => ({ status: 200, body: '<html>log in</html>' }));
    expect(await find(here.connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('in git'),
    });
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('the answer is not one of its API');
  });

  test('come from git where the list may be cut off', async () => {
    const files = Array.from({ length: 300 }, (_, i) => ({ filename: `f${String(i)}`, status: 'added' }));
    here.github.interfere((request) =>
      request.path.includes('/compare/') ? { status: 200, body: { files } } : undefined,
    );
    const { pullRequest: _, ...push } = here.target;
    expect(await find(here.connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('300');
  });

  test.each([
    ['a pull request of 3,001 files', 3_001, 'pull request'],
    ['a push of 301 files', 301, 'push'],
  ])(
    'of %s lose none: git is asked',
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
      expect(found?.way).toContain('in git');
      expect(trouble[0]).toContain('3,000');
      // Thousands of files are written to a repository: that takes its time on a machine with much to do.
    },
    90_000,
  );

  test('count as changed where GitHub says zero changes, past 20,000 lines in one answer', async () => {
    const long = Array.from({ length: 20_001 }, (_, line) => `select ${String(line)};\n`).join('');
    const base = (await here.github.repository(repository).git.commit('main')) ?? '';
    const changes = { 'a-long.sql': long, 'z.orch.yaml': 'changed\n' };
    const commit = await here.builder.commit('long', changes, { from: 'main' });
    const number = here.github.openPull(repository, { head: 'long', base: 'main' });
    const found = await find(here.connect('writer'), { ...here.target, base, commit, pullRequest: number });
    const { octokit, owner, repo } = here.connect('writer');
    const { data: listed } = await octokit.rest.pulls.listFiles({ owner, repo, pull_number: number });
    expect(listed).toEqual(
      expect.arrayContaining([expect.objectContaining({ filename: 'z.orch.yaml', changes: 0 })]),
    );
    expect(found).toMatchObject({
      files: ['added a-long.sql', 'added z.orch.yaml'],
      way: expect.stringContaining('pull request'),
    });
  });

  test('are unknown without a base', async () => {
    const { base: _, ...without } = here.target;
    expect(await find(here.connect('writer'), without)).toBeUndefined();
  });
});
