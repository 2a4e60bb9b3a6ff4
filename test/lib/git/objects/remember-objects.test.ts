import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { commitSnapshot } from '../../../../lib/git/snapshot.ts';
import { type RecordingGit, recordingGit } from '../recording-git.ts';
import { type TemporaryRepository, temporaryRepository } from '../temporary-repository.ts';

let work: TemporaryRepository;
let git: RecordingGit;
beforeEach(() => {
  work = temporaryRepository();
  git = recordingGit(`${work.directory}-git`);
});
afterEach(() => {
  rmSync(git.folder, { recursive: true });
  work[Symbol.dispose]();
});

const open = () =>
  openRepository(work.directory, {
    environment: { ...process.env, PATH: `${git.folder}${path.delimiter}${process.env['PATH'] ?? ''}` },
  });
/** How often git is started while it acts. */
const starts = async (act: () => Promise<unknown>) => {
  const count = () => git.environments().match(/^PATH=/gm)?.length ?? 0;
  const before = count();
  await act();
  return count() - before;
};
const read = async (repository: Awaited<ReturnType<typeof open>>, commit: string, ...names: string[]) => {
  const contents = await commitSnapshot(repository, commit).readFiles(names);
  return names.map((name) => contents.get(name)?.toString());
};

test('the files of a commit are listed once, and small files are read once', async () => {
  work.write('a', 'first');
  const first = work.commit('First');
  work.write('a', 'second');
  const second = work.commit('Second');
  const repository = await open();
  for (const commit of [first, second]) await repository.resolveCommit(commit);
  expect(await starts(() => read(repository, first, 'a'))).toBe(2);
  expect(await starts(() => read(repository, first, 'a'))).toBe(0);
  expect(await starts(() => read(repository, second, 'a'))).toBe(2);
  expect(await read(repository, first, 'a')).toEqual(['first']);
  expect(await read(repository, second, 'a')).toEqual(['second']);
  expect(await starts(() => repository.listTree('HEAD'))).toBe(1);
  work.write('a', 'third');
  work.commit('Third');
  expect(await read(repository, await repository.resolveCommit('HEAD'), 'a')).toEqual(['third']);
});

test('large files, and many together, are read again and are never mixed up', async () => {
  const names = Array.from({ length: 6 }, (_, nth) => `file-${nth}`);
  for (const name of names) work.write(name, name);
  work.write('large', 'x'.repeat(70_000));
  work.write('empty', '');
  const commit = work.commit('Files');
  const repository = await open();
  expect(await read(repository, commit, 'file-1', 'empty', 'file-3')).toEqual(['file-1', '', 'file-3']);
  expect(await read(repository, commit, 'file-3', 'file-1')).toEqual(['file-3', 'file-1']);
  expect(await read(repository, commit, 'file-2', 'file-1')).toEqual(['file-2', 'file-1']);
  expect(await read(repository, commit, ...names)).toEqual(names);
  expect(await starts(() => read(repository, commit, ...names))).toBe(1);
  expect(await starts(() => read(repository, commit, 'large'))).toBe(1);
  expect(await starts(() => read(repository, commit, 'large'))).toBe(1);
});

test('a listing that was cancelled is not remembered', async () => {
  work.write('a', 'text');
  const commit = work.commit('First');
  const repository = await open();
  await repository.resolveCommit(commit);
  await expect(
    repository.listTree(commit, { signal: AbortSignal.abort(new Error('the user said stop')) }),
  ).rejects.toThrow('the user said stop');
  expect((await repository.listTree(commit)).map((entry) => entry.path)).toEqual(['a']);
});
