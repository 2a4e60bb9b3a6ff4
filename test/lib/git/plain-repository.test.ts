import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { initPlainRepository } from './plain-repository.ts';
import { temporaryRepository } from './temporary-repository.ts';

function repository() {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace plain ')));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const plain = initPlainRepository(directory, 'Ada <ada@example.com>');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
  const write = (name: string, text: string) => writeFileSync(path.join(directory, name), text);
  return { directory, git, write, commit: plain.commit };
}

describe.skipIf(process.platform !== 'linux')('a repository that is written as files', () => {
  test('is what git makes: objects, branch, index, log and settings', () => {
    using made = temporaryRepository('--quiet');
    const { directory, git, commit } = repository();
    for (const [message, folder] of [
      ['First', 'a'],
      ['Second, ä', 'a.b'],
      ['Third', 'a-b'],
    ] as const) {
      for (const home of [directory, made.directory]) {
        execFileSync('mkdir', ['-p', path.join(home, folder, 'deep')]);
        writeFileSync(path.join(home, folder, 'deep', 'file ü.txt'), message);
        writeFileSync(path.join(home, `${folder}.sh`), '');
        chmodSync(path.join(home, `${folder}.sh`), 0o755);
        rmSync(path.join(home, 'a.sh'), { force: true });
      }
      made.commit(message);
      expect(commit(message)).toBe(git('rev-parse', 'HEAD').trim());
      expect(git('write-tree')).toBe(git('rev-parse', 'HEAD^{tree}'));
      expect(git('rev-parse', 'HEAD^{tree}').trim()).toBe(made.git('rev-parse', 'HEAD^{tree}'));
      expect(git('status', '--porcelain')).toBe('');
      // What git has done with the index is not in the way of the next one.
      git('add', '-A');
    }
    git('fsck', '--strict');
    expect(git('log', '-g', '--format=%gd %gs%n%an <%ae>').split('\n', 1)).toEqual([
      expect.stringContaining('HEAD@{0} commit: '),
    ]);
    const text = (home: string) => readFileSync(path.join(home, '.git/config'), 'utf8');
    expect(text(directory)).toBe(text(made.directory));
    const folders = (home: string) => readdirSync(path.join(home, '.git')).toSorted();
    expect(folders(made.directory)).toEqual(['COMMIT_EDITMSG', ...folders(directory)]);
    expect(git('log', '-1', '--format=%s%n%an <%ae>%n%cn <%ce>').split('\n')).toEqual(
      made.git('log', '-1', '--format=%s%n%an <%ae>%n%cn <%ce>').concat('\n').split('\n'),
    );
  });

  test('shows what changes after a commit, also at once and in the same length', () => {
    const { git, write, commit } = repository();
    write('a', '1');
    commit('First');
    write('a', '2');
    expect(git('status', '--porcelain')).toBe(' M a\n');
  });

  test.each<[string, (of: ReturnType<typeof repository>) => void]>([
    ['something is ignored', ({ write }) => write('.gitignore', 'a')],
    ['attributes are set', ({ write }) => write('.gitattributes', '* text')],
    ['a file is marked', ({ git }) => git('update-index', '--assume-unchanged', 'a')],
    ['a file is announced', ({ git, write }) => (write('b', ''), git('add', '-N', 'b'))],
    ['it is configured', ({ git }) => git('config', 'core.autocrlf', 'true')],
    ['it has hooks or exclusions', ({ git, directory }) => git('init', `${directory}/.git/info`)],
    ['HEAD is no branch', ({ git }) => git('checkout', '-q', '--detach')],
    ['a file is a link', ({ directory }) => symlinkSync('a', path.join(directory, 'link'))],
    ['a folder is a repository', ({ git }) => git('init', '-q', 'inside')],
  ])('leaves a commit to git where %s', (_, change) => {
    const of = repository();
    of.write('a', '1');
    const first = of.commit('First');
    of.write('a', '2');
    change(of);
    expect(of.commit('Second')).toBeUndefined();
    expect(of.git('rev-parse', 'HEAD').trim()).toBe(first);
  });

  test.each(['', ' a', 'a\nb', 'a '])('leaves the message %j to git', (message) => {
    expect(repository().commit(message)).toBeUndefined();
  });
});
