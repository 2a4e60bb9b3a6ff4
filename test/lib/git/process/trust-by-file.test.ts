import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { fetchCommit } from '../../../../lib/github/workflow-run/fetch-commit.ts';
import { oldGit } from '../old-git.ts';
import { type TemporaryRepository, temporaryRepository } from '../temporary-repository.ts';

let repo: TemporaryRepository;
let around: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  repo = temporaryRepository();
  around = mkdtempSync(path.join(tmpdir(), 'millrace-old-git-'));
  const home = path.join(around, 'home');
  mkdirSync(home);
  const PATH = `${oldGit(path.join(around, 'bin'))}:${process.env['PATH'] ?? ''}`;
  environment = { PATH, HOME: home, TMPDIR: around };
});
afterEach(() => {
  repo[Symbol.dispose]();
  rmSync(around, { recursive: true, force: true });
});

describe('a git that reads safe.directory from files alone', () => {
  test('refuses the repository of another user, whatever its command line says', () => {
    const ask = ['-c', `safe.directory=${repo.directory}`, 'rev-parse', '--show-prefix'];
    expect(() => execFileSync('git', ask, { cwd: repo.directory, env: environment, stdio: 'pipe' })).toThrow(
      'dubious',
    );
  });

  test('reads commits, files and changes of a repository that another user owns', async () => {
    repo.write('deep/a.sql', 'select 1');
    const commit = repo.commit('first');
    repo.write('deep/a.sql', 'select 2');
    const opened = await openRepository(path.join(repo.directory, 'deep'), { environment });
    expect([opened.prefix, opened.root]).toEqual(['deep', repo.directory]);
    expect((await opened.readFile(commit, 'deep/a.sql'))?.toString()).toBe('select 1');
    expect((await opened.changedOnDisk()).changed).toEqual(['deep/a.sql']);
    const disk = await openWorkCopy(repo.directory, 'working-tree', { environment });
    expect((await disk.readFiles(['deep/a.sql'])).get('deep/a.sql')?.toString()).toBe('select 2');
  });

  test('reads a bare repository that another user owns', async () => {
    const commit = repo.commit('first');
    const bare = path.join(around, 'bare');
    execFileSync('git', ['clone', '-q', '--bare', repo.directory, bare], { stdio: 'pipe' });
    expect(await (await openRepository(bare, { environment })).resolveCommit('main')).toBe(commit);
  });

  test('keeps the settings of the user, those at home and those in XDG_CONFIG_HOME', async () => {
    repo.commit('first');
    const other = temporaryRepository();
    try {
      const commit = other.commit('theirs');
      other.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
      const xdg = path.join(around, 'x "d" g');
      mkdirSync(path.join(xdg, 'git'), { recursive: true });
      // Half of the way to the remote is in one file and half in the other, beside which there is a third.
      repo.git('remote', 'add', 'origin', `remote:${path.basename(other.directory)}`);
      const url = `[url "file://${path.dirname(other.directory)}/"]\n\tinsteadOf = remote:\n`;
      writeFileSync(path.join(environment['HOME'] ?? '', '.gitconfig'), url);
      writeFileSync(path.join(xdg, 'git', 'config'), '[include]\n\tpath = more\n');
      const trusted = [other.directory, `${other.directory}/.git`];
      const more = `[safe]\n${trusted.map((one) => `\tdirectory = ${one}\n`).join('')}`;
      writeFileSync(path.join(xdg, 'git', 'more'), more);
      const options = { directory: repo.directory, commit };
      await fetchCommit({ ...options, environment: { ...environment, XDG_CONFIG_HOME: xdg } });
      expect(repo.git('cat-file', '-t', commit)).toBe('commit');
    } finally {
      other[Symbol.dispose]();
    }
  });
});
