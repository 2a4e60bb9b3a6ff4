import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBareRepository } from '../../local-github/git/bare-repository.ts';
import { buildRepository, type RepositoryBuilder } from '../environment/github/bare-repository-builder.ts';

let gitRoot: string;
let builder: RepositoryBuilder;
let first: string;

beforeEach(async () => {
  gitRoot = mkdtempSync(join(tmpdir(), 'millrace-bare-'));
  builder = await buildRepository(gitRoot, 'demo/warehouse');
  first = await builder.commit('main', { 'a/b.txt': 'one\n', 'c.txt': 'two\n' });
  await builder.tag('v1', 'main');
  await builder.tag('v2', 'main', 'a tag object');
  await builder.tag('v3', 'v2', 'a tag of a tag');
});
afterEach(() => rmSync(gitRoot, { recursive: true, force: true }));

const names = ['main', 'refs/heads/main', 'v1', 'refs/tags/v1', 'v2', 'refs/tags/v2', 'v3', 'HEAD', 'HEAD~0'];

test.each([
  ['in files of their own', []],
  ['packed', ['pack-refs', '--all']],
  ['packed, as are the objects', ['gc', '--quiet']],
])('names, refs and paths are read alike where refs are %s', async (_, args) => {
  if (args.length > 0) await openBareRepository(builder.path, process.env).git(...args);
  // Opened now, so that it knows nothing from before.
  const bare = openBareRepository(builder.path, process.env);
  for (const name of [...names, first]) expect([name, await bare.commit(name)]).toEqual([name, first]);
  for (const name of ['none', 'refs/heads/none', 'refs/heads/v1', 'f'.repeat(40)])
    expect([name, await bare.commit(name)]).toEqual([name, undefined]);
  const asGitLists = await bare.git(
    'for-each-ref',
    '--format=%(refname) %(objectname) %(objecttype)',
    'refs',
  );
  const listed = (await bare.refs('refs')).map(({ ref, sha, type }) => `${ref} ${sha} ${type}`);
  expect(listed).toEqual(asGitLists.trim().split('\n'));
  expect(await bare.refs('refs/heads/main')).toEqual([
    { ref: 'refs/heads/main', sha: first, type: 'commit' },
  ]);
  expect(await bare.refs('refs/heads/ma')).toEqual([]);
  expect(await bare.defaultBranch()).toBe('main');
  expect(await bare.at(first, 'a/b.txt')).toMatchObject({ type: 'blob', text: 'one\n' });
  expect(await bare.at(first, 'a')).toMatchObject({ type: 'tree' });
  expect(await bare.at(first, 'a/none')).toBeUndefined();
  expect((await bare.at(first, 'c.txt'))?.sha).toBe((await bare.git('rev-parse', `${first}:c.txt`)).trim());
});

test('a commit after a packed one is the one that counts', async () => {
  const bare = openBareRepository(builder.path, process.env);
  await bare.git('gc', '--quiet');
  const second = await builder.commit('main', {
    'a/b.txt': 'changed\n',
    'd.txt': 'new\nnow\n',
    'c.txt': null,
  });
  expect(await bare.commit('main')).toBe(second);
  expect(await bare.refs('refs/heads')).toEqual([{ ref: 'refs/heads/main', sha: second, type: 'commit' }]);
  const changed = (await bare.changed(first, second)).map(({ filename, status, additions, deletions }) => [
    filename,
    status,
    additions,
    deletions,
  ]);
  expect(changed).toEqual([
    ['a/b.txt', 'modified', 1, 1],
    ['c.txt', 'removed', 0, 1],
    ['d.txt', 'added', 2, 0],
  ]);
  expect(await bare.changed(first, first)).toEqual([]);
});

test('git accepts the files that the builder writes, in the order of its trees', async () => {
  const bare = openBareRepository(builder.path, process.env);
  await builder.commit('main', {
    'a.txt': 'three\n',
    'a-b': 'four\n',
    'c.txt': null,
    'ä "quoted"': 'five\n',
  });
  await builder.commit('side', { 'a/b.txt': null, a: 'a file now\n' }, { from: 'main' });
  await builder.commit('side', { 'a/x/y.txt': 'a folder again\n' });
  expect(await bare.git('fsck', '--strict', '--no-dangling')).toBe('');
  const listed = async (branch: string) =>
    (await bare.git('ls-tree', '-r', '-z', '--name-only', branch)).split('\0').slice(0, -1);
  expect(await listed('main')).toEqual(['a-b', 'a.txt', 'a/b.txt', 'ä "quoted"']);
  expect(await listed('side')).toEqual(['a-b', 'a.txt', 'a/x/y.txt', 'ä "quoted"']);
  expect(await bare.git('show', '-s', '--format=%an <%ae> %s', 'main')).toBe(
    'octo <octo@example.com> Change main\n',
  );
});

test.each([
  ['in files of their own', []],
  ['packed', ['gc', '--quiet']],
])('commits and how they are related are read alike where they are %s', async (_, args) => {
  const author = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const second = await builder.commit('main', { 'c.txt': 'three\n' }, { author, message: 'Two\n\nlines\n' });
  const third = await builder.commit('main', { 'c.txt': 'two\n' }, { seconds: 1_700_000_000, message: '' });
  const aside = await builder.commit('aside', { 'd.txt': 'four\n' }, { from: first });
  const alone = await builder.commit('alone', { 'e.txt': 'five\n' });
  if (args.length > 0) await openBareRepository(builder.path, process.env).git(...args);
  const bare = openBareRepository(builder.path, process.env);
  const octo = { name: 'octo', email: 'octo@example.com' };
  const [one, two, last] = await bare.describe([first, second, third]);
  expect(one).toMatchObject({
    sha: first,
    parents: [],
    author: octo,
    committer: octo,
    message: 'Change main',
  });
  expect(two).toMatchObject({ sha: second, parents: [first], committer: author, message: 'Two\n\nlines' });
  expect(last).toMatchObject({ parents: [second], seconds: 1_700_000_000, message: '', tree: one?.tree });
  expect(await bare.relation(third, third)).toEqual({ merge: third, ahead: [], behind: 0 });
  expect(await bare.relation(first, third)).toEqual({ merge: first, ahead: [second, third], behind: 0 });
  expect(await bare.relation(third, first)).toEqual({ merge: first, ahead: [], behind: 2 });
  expect(await bare.relation(third, aside)).toEqual({ merge: first, ahead: [aside], behind: 2 });
  expect(await bare.relation(third, alone)).toBeUndefined();
  expect(await bare.changed(first, third)).toEqual([]);
  expect(await bare.changed(first, second)).toMatchObject([{ filename: 'c.txt', additions: 1 }]);
});

test('commits with several parents are related as git says', async () => {
  const aside = await builder.commit('aside', { 'd.txt': 'four\n' }, { from: first });
  const second = await builder.commit('main', { 'c.txt': 'three\n' });
  const bare = openBareRepository(builder.path, process.env);
  const tree = (await bare.git('merge-tree', '--write-tree', second, aside)).trim();
  const merged = (await bare.git('commit-tree', tree, '-p', second, '-p', aside, '-m', 'Merge')).trim();
  expect(await bare.relation(aside, merged)).toEqual({ merge: aside, ahead: [second, merged], behind: 0 });
  expect(await bare.relation(merged, second)).toEqual({ merge: second, ahead: [], behind: 2 });
  expect((await bare.describe([merged]))[0]).toMatchObject({ parents: [second, aside], message: 'Merge' });
});
