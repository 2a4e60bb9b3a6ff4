import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeUncommitted, uncommittedFiles } from '../../../flows/project/uncommitted-files.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';

test('files that were changed, made or deleted since the commit are named, and only the project’s', async () => {
  using work = temporaryRepository();
  for (const name of ['changed.sql', 'deleted.sql', 'same.sql', 'left out/a.sql'])
    work.write(`finance/${name}`, 'select 1;\n');
  work.write('.gitignore', 'ignored.sql\n');
  work.commit('A project');
  const repository = await openRepository(path.join(work.directory, 'finance'));
  const request = {
    repository,
    directory: repository.prefix,
    include: ['**/*.sql'],
    exclude: ['left out/**'],
  };
  const { signal } = new AbortController();
  expect(await uncommittedFiles({ ...request, commit: 'HEAD' }, signal)).toEqual([]);

  for (const name of ['changed.sql', 'made.sql', 'left out/a.sql', 'ignored.sql', 'notes.md'])
    work.write(`finance/${name}`, 'select 2;\n');
  work.write('other/project.sql', 'select 2;\n');
  rmSync(path.join(work.directory, 'finance', 'deleted.sql'));
  const found = await uncommittedFiles({ ...request, commit: 'main' }, signal);
  expect(found).toEqual(['changed.sql', 'deleted.sql', 'made.sql']);
  expect(describeUncommitted(found)).toContain('left out: changed.sql, deleted.sql, made.sql.');

  const before = work.git('rev-parse', 'HEAD');
  work.git('commit', '-q', '--allow-empty', '-m', 'Another');
  expect(await uncommittedFiles({ ...request, commit: before }, signal)).toEqual([]);
});

test('a bare repository has no such files, and many are counted', async () => {
  using bare = temporaryRepository('--bare');
  const repository = await openRepository(bare.directory);
  const source = { repository, directory: '', include: ['**'], commit: 'HEAD' };
  const { signal } = new AbortController();
  expect(await uncommittedFiles(source, signal)).toEqual([]);
  expect(describeUncommitted(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toContain('a, b, c, d, e and 2 more.');
});
