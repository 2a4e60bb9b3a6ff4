import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { commitSnapshot } from '../../../../lib/git/snapshot.ts';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { recordingGit } from '../recording-git.ts';
import { type TemporaryRepository, temporaryRepository } from '../temporary-repository.ts';

let work: TemporaryRepository;
const open = (kind: 'staged' | 'working-tree', environment = process.env) =>
  openWorkCopy(work.directory, kind, { environment });
const contents = async (kind: 'staged' | 'working-tree', environment = process.env) => {
  const copy = await open(kind, environment);
  const paths = (await copy.list()).map(({ path: name }) => name);
  return Object.fromEntries(
    Array.from(await copy.readFiles(paths), ([name, bytes]) => [name, bytes.toString()]),
  );
};

beforeEach(() => {
  work = temporaryRepository();
  work.write('a', 'committed');
  work.write('sub/b', 'committed');
});
afterEach(() => work[Symbol.dispose]());

test('what is staged comes from the index, what is on disk from the files, ignored ones left out', async () => {
  work.write('.gitignore', 'ignored\n');
  work.commit('A project');
  work.write('a', 'staged');
  work.git('add', 'a');
  work.write('a', 'on disk');
  work.write('new', 'on disk');
  work.write('ignored', 'x');
  work.git('rm', '-q', '--cached', 'sub/b');

  expect(await contents('staged')).toEqual({ '.gitignore': 'ignored\n', a: 'staged' });
  expect(await contents('working-tree')).toEqual({
    '.gitignore': 'ignored\n',
    a: 'on disk',
    new: 'on disk',
    'sub/b': 'committed',
  });
});

test('a change of the same size and time is seen, whatever git is set to trust', async () => {
  const [file, other] = [path.join(work.directory, 'a'), path.join(work.directory, 'other')];
  const old = new Date('2026-01-01T00:00:00Z');
  utimesSync(file, old, old);
  work.commit('A project');
  work.git('config', 'core.trustctime', 'false');
  work.git('config', 'core.checkStat', 'minimal');
  // Another file in its place: git's resolution of time may be a second.
  writeFileSync(other, 'different');
  utimesSync(other, old, old);
  renameSync(other, file);

  const copy = await open('working-tree');
  expect(await copy.changedSince('HEAD')).toEqual([{ status: 'modified', path: 'a' }]);
});

test('before the first commit all that is staged is there, and no commit', async () => {
  work.git('add', 'a');
  const copy = await open('staged');
  expect(copy.commit).toBe('');
  expect((await copy.list()).map((entry) => entry.path)).toEqual(['a']);
});

test('a file of `git add -N` is not staged, and is on disk', async () => {
  work.write('empty', '');
  work.commit('A project');
  work.write('new', 'on disk');
  work.write('nothing', '');
  work.write('staged-empty', '');
  work.git('add', '-N', 'new', 'nothing');
  work.git('add', 'staged-empty');
  work.git('rm', '-q', '--cached', 'empty');
  work.git('add', '-N', 'empty');

  const staged = await open('staged');
  expect((await staged.list()).map((entry) => entry.path)).toEqual(['a', 'staged-empty', 'sub/b']);
  expect(await staged.changedSince('HEAD')).toEqual([
    { status: 'renamed', path: 'staged-empty', oldPath: 'empty' },
  ]);
  expect(Object.keys(await contents('working-tree'))).toEqual([
    'a',
    'empty',
    'new',
    'nothing',
    'staged-empty',
    'sub/b',
  ]);
});

test('before the first commit a file of `git add -N` is not staged either', async () => {
  work.git('add', '-N', 'a');
  work.git('add', 'sub/b');
  expect((await (await open('staged')).list()).map((entry) => entry.path)).toEqual(['sub/b']);
});

test('changes are in the index or on the disk, with renames', async () => {
  const base = work.commit('A project');
  work.git('mv', 'sub/b', 'sub/c');
  work.write('new', 'x');

  expect(await (await open('staged')).changedSince(base)).toEqual([
    { status: 'renamed', path: 'sub/c', oldPath: 'sub/b' },
  ]);
  expect((await (await open('working-tree')).changedSince(base)).map((one) => one.path)).toEqual([
    'sub/c',
    'new',
  ]);
});

test('a symbolic link is its target’s name and does not lead out of the tree', async () => {
  symlinkSync('/etc/hostname', path.join(work.directory, 'link'));
  work.commit('A link');
  expect((await contents('working-tree')).link).toBe('/etc/hostname');
  expect((await contents('staged')).link).toBe('/etc/hostname');
});

test('on disk, a file that became a link or a folder is one; staged, it is as in the index', async () => {
  for (const name of ['link', 'folder', 'in/file']) work.write(name, 'select 1');
  work.commit('A project');
  const at = (name: string) => path.join(work.directory, name);
  for (const name of ['link', 'folder', 'in']) rmSync(at(name), { recursive: true });
  symlinkSync('nowhere', at('link'));
  symlinkSync('nowhere', at('new'));
  mkdirSync(at('folder'));
  symlinkSync('sub', at('in'));

  const modes = async (kind: 'staged' | 'working-tree') =>
    Object.fromEntries((await (await open(kind)).list()).map((entry) => [entry.path, entry.mode]));
  const plain = { a: '100644', 'sub/b': '100644' };
  expect(await modes('working-tree')).toEqual({
    ...plain,
    folder: '040000',
    in: '120000',
    link: '120000',
    new: '120000',
  });
  expect(await modes('staged')).toEqual({
    ...plain,
    folder: '100644',
    'in/file': '100644',
    link: '100644',
  });
});

test('in a hook of git commit -a the index that will be committed counts', async () => {
  work.commit('A project');
  const seen = path.join(work.directory, '.git', 'seen');
  const hook = path.join(work.directory, '.git', 'hooks', 'pre-commit');
  mkdirSync(path.dirname(hook));
  writeFileSync(
    hook,
    `#!/bin/sh\nprintf %s "$GIT_INDEX_FILE" > "${seen}"\ncp "$GIT_INDEX_FILE" "${seen}.index"\n`,
  );
  chmodSync(hook, 0o755);
  work.write('a', 'by commit -a');
  work.git('commit', '-q', '-a', '-m', 'All');
  work.git('reset', '-q', '--hard', 'HEAD~1');

  expect((await contents('staged')).a).toBe('committed');
  expect((await contents('staged', { ...process.env, GIT_INDEX_FILE: '.git/seen.index' })).a).toBe(
    'by commit -a',
  );
});

test.each(['staged', 'working-tree', 'commit'] as const)(
  'many files at a time come whole from %s, whatever their size; what is too large or not wanted is left out',
  async (kind) => {
    // Git hands them over in chunks of at most some 64 kB, cut wherever they end.
    const sizes = [0, 1, 200_000, 3, 65_536, 0, 400_000, 7];
    const texts = new Map(sizes.map((size, nth) => [`many/${nth}`, String(nth).repeat(size)]));
    for (const [name, text] of texts) work.write(name, text);
    const commit = work.commit('Many files');
    const repository = await openRepository(work.directory, { environment: process.env });
    const snapshot = kind === 'commit' ? commitSnapshot(repository, commit) : await open(kind);
    const most = 300_000;

    const read = await snapshot.readFiles([...texts.keys(), 'not/there'], most);
    expect(read.size).toBe(7);
    for (const [name, bytes] of read) expect(bytes.toString() === texts.get(name), name).toBe(true);
    expect([...snapshot.unread.keys()]).toEqual(['many/6']);

    const odd = await snapshot.readFiles([...texts.keys()], most, (bytes) => bytes.length % 2 === 1);
    expect([...odd.keys()]).toEqual(['many/1', 'many/3', 'many/7']);
    expect(odd.get('many/7')?.toString()).toBe('7777777');
  },
);

test('a repository and a work copy that open at the same time start git once for both', async () => {
  work.commit('A project');
  const git = recordingGit(path.join(work.directory, '..', `${path.basename(work.directory)}-git`));
  onTestFinished(() => rmSync(git.folder, { recursive: true }));
  const environment = { ...process.env, PATH: `${git.folder}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const [repository, copy] = await Promise.all([
    openRepository(work.directory, { environment }),
    openWorkCopy(work.directory, 'staged', { environment }),
  ]);
  expect(copy.commit).toBe(await repository.resolveCommit('HEAD'));
  await copy.list();
  // One finds the repository, each of two resolves HEAD, and the work copy lists its files once.
  expect(git.environments().match(/^PATH=/gm)).toHaveLength(4);
});

describe('a merge with conflicts', () => {
  const merge = (ours: () => void, theirs: () => void) => {
    work.commit('A project');
    work.git('checkout', '-q', '-b', 'other');
    theirs();
    work.commit('Theirs');
    work.git('checkout', '-q', '-');
    ours();
    work.commit('Ours');
    expect(() => work.git('merge', '-q', 'other')).toThrow('Command failed');
  };
  const write = (text: string) => () => work.write('a', text);
  const remove = () => work.git('rm', '-q', 'a');

  test('what is staged is refused, and the message names the files', async () => {
    merge(write('ours'), write('theirs'));
    const copy = await open('staged');
    await expect(copy.list()).rejects.toMatchObject({
      code: 'git-failed',
      message: 'A merge left conflicts in "a", so the staged files are not complete.',
    });
    work.write('a', 'both');
    work.git('add', 'a');
    expect(await contents('staged')).toMatchObject({ a: 'both' });
  });

  test.each([
    ['we deleted', remove, write('theirs'), 'theirs'],
    ['they deleted', write('ours'), remove, 'ours'],
  ])('a file that %s is on disk as git left it', async (_, ours, theirs, expected) => {
    merge(ours, theirs);
    expect(await contents('working-tree')).toEqual({ a: expected, 'sub/b': 'committed' });
    const changes = await (await open('working-tree')).changedSince('HEAD');
    expect(changes.map((change) => change.path)).toEqual(expected === 'theirs' ? ['a'] : []);
    rmSync(path.join(work.directory, 'a'));
    expect(await contents('working-tree')).toEqual({ 'sub/b': 'committed' });
  });
});

describe.each(['--skip-worktree', '--assume-unchanged'])('with %s', (bit) => {
  const changes = async () => {
    const found = await (await open('working-tree')).changedSince('HEAD');
    return found.map(({ status, path: name }) => `${status} ${name}`).toSorted();
  };
  beforeEach(() => {
    symlinkSync('a', path.join(work.directory, 'link'));
    work.write('.gitattributes', '*.txt text eol=crlf\n');
    work.write('lines.txt', 'one\r\n');
    work.write('-n', 'begins with a dash');
    work.commit('A project');
    work.git('update-index', bit, 'a', 'link', 'sub/b', 'lines.txt', './-n');
  });

  test('what differs on disk is a change, also a link; what git stores the same way is none', async () => {
    expect(await changes()).toEqual([]);
    work.write('a', 'on disk');
    rmSync(path.join(work.directory, 'link'));
    symlinkSync('sub/b', path.join(work.directory, 'link'));
    work.write('-n', 'another text');
    expect(await changes()).toEqual(['modified -n', 'modified a', 'modified link']);
    expect(await contents('working-tree')).toMatchObject({ a: 'on disk', link: 'sub/b' });
  });

  test('a file in place of a link, a link in place of a file, and a folder in place of a file', async () => {
    for (const name of ['a', 'link', 'sub/b']) rmSync(path.join(work.directory, name));
    work.write('link', 'a file');
    symlinkSync('link', path.join(work.directory, 'a'));
    work.write('sub/b/c', 'new');
    const entries = await (await open('working-tree')).list();
    const modeOf = (wanted: string) => entries.find((entry) => entry.path === wanted)?.mode;
    expect([modeOf('a'), modeOf('link'), modeOf('sub/b')]).toEqual(['120000', '100644', '040000']);
    expect(await changes()).toEqual(
      expect.arrayContaining(['modified a', 'modified link', 'modified sub/b']),
    );
  });
});

describe('a file that is not on disk', () => {
  const removeBoth = () => {
    work.commit('A project');
    work.git('update-index', '--assume-unchanged', 'a');
    work.git('update-index', '--skip-worktree', 'sub/b');
    rmSync(path.join(work.directory, 'a'));
    rmSync(path.join(work.directory, 'sub'), { recursive: true });
  };

  test('is deleted, also with --skip-worktree', async () => {
    removeBoth();
    const copy = await open('working-tree');
    expect(await copy.list()).toEqual([]);
    expect(await copy.changedSince('HEAD')).toEqual([
      { status: 'deleted', path: 'a' },
      { status: 'deleted', path: 'sub/b' },
    ]);
  });

  test.each(['true', 'yes'])(
    'is as in the index in a sparse check-out (core.sparseCheckout: %s)',
    async (value) => {
      work.git('config', 'core.sparseCheckout', value);
      removeBoth();
      const copy = await open('working-tree');
      expect((await copy.list()).map((entry) => entry.path)).toEqual(['sub/b']);
      expect(await copy.changedSince('HEAD')).toEqual([{ status: 'deleted', path: 'a' }]);
      work.git('config', 'core.sparseCheckout', 'no');
      expect(await (await open('working-tree')).list()).toEqual([]);
    },
  );
});
