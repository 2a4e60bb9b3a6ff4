import { expect, test } from 'vitest';
import { compareWithTree } from '../../../../lib/evidence/manifest.ts';
import { createTrees } from '../../../../lib/github/endpoints/trees.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();
const branch = 'millrace-evidence';
const add = (path: string, text: string, token = 'publisher', to = branch) =>
  here
    .connect(token)
    .branchFiles.addFiles(repository, { branch: to, files: { [path]: text }, message: 'Add' });

test('files of many writers at the same time are all on the branch, also where it did not exist', async () => {
  await Promise.all(Array.from({ length: 6 }, (_, index) => add(`a/${index}.json`, `${index}\n`)));
  const { commits } = here.connect('reader');
  const files = await commits.filesIn(repository, 'a', branch);
  expect(files?.map(({ name }) => name)).toEqual([
    '0.json',
    '1.json',
    '2.json',
    '3.json',
    '4.json',
    '5.json',
  ]);
  const trees = createTrees(here.connect('reader').github);
  const oid = files?.[4]?.oid ?? '';
  expect((await trees.blob(repository, oid, 10))?.toString()).toBe('4\n');
  expect(await trees.blob(repository, oid, 1)).toBeUndefined();
  expect(await trees.blob(repository, 'f'.repeat(40), 10)).toBeUndefined();
  expect(await commits.filesIn(repository, 'b', branch)).toBeUndefined();
  expect(await commits.filesIn(repository, 'a', 'no-branch')).toBeUndefined();
  const { git } = here.github.repository(repository);
  // The branch has no history of the project, and a file that is there already makes no commit.
  const before = await git.commit(branch);
  expect((await git.git('rev-list', '--count', branch)).trim()).toBe('6');
  await add('a/4.json', '4\n');
  expect(await git.commit(branch)).toBe(before);
});

test('a lost answer is tried again, and a token that may not write changes nothing', async () => {
  let lost = 0;
  here.github.interfere(({ method }) => (method === 'PATCH' && (lost += 1) === 1 ? 'lose' : undefined));
  await add('first.json', '{}\n', 'publisher', 'other');
  await add('second.json', '{}\n', 'publisher', 'other');
  expect(lost).toBe(1);
  const { git } = here.github.repository(repository);
  expect((await git.git('rev-list', '--count', 'other')).trim()).toBe('2');
  await expect(add('third.json', '{}\n', 'writer', 'other')).rejects.toMatchObject({
    code: 'github-failed',
    hint: expect.stringContaining('"contents: write"') as string,
  });
  expect((await git.git('rev-list', '--count', 'other')).trim()).toBe('2');
});

test('the files of a commit are read by one request, and a truncated list says so', async () => {
  const { commits, github } = here.connect('reader');
  const trees = createTrees(github);
  const tree = (await commits.treeOf(repository, here.head)) ?? '';
  const before = here.github.requests.length;
  const listed = await trees.filesOf(repository, tree);
  expect(here.github.requests.length - before).toBe(1);
  const [file] = listed?.files ?? [];
  expect(listed?.isTruncated).toBe(false);
  const manifest = {
    directory: '',
    files: [{ path: file?.path ?? '', bytes: 1, sha256: '', mode: '100644', gitBlob: file?.oid }],
  };
  expect(compareWithTree(manifest, listed?.files ?? [])).toBeUndefined();
  expect(await trees.filesOf(repository, 'f'.repeat(40))).toBeUndefined();
  here.github.interfere(() => ({ status: 200, body: { sha: tree, truncated: true, tree: [] } }));
  expect(await trees.filesOf(repository, tree)).toMatchObject({ isTruncated: true });
});
