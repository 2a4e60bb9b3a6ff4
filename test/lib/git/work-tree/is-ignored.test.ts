import path from 'node:path';
import { expect, test } from 'vitest';
import { isOpenToGit } from '../../../../lib/git/work-tree/is-ignored.ts';
import { temporaryRepository } from '../temporary-repository.ts';

test('a file in a work tree is open to git unless git ignores it', async () => {
  using repository = temporaryRepository();
  const asked = (file: string) =>
    isOpenToGit(path.join(repository.directory, file), { PATH: process.env['PATH'] });
  repository.write('.gitignore', '.env.local\n/sub/*.env\n');
  repository.write('sub/a', '');
  expect(await Promise.all(['.env', ':odd', 'sub/.env.other'].map(asked))).toEqual([true, true, true]);
  expect(await Promise.all(['.env.local', 'sub/.env.local', 'sub/x.env'].map(asked))).toEqual([
    false,
    false,
    false,
  ]);
  expect(await asked('.git/env')).toBe(false);
  expect(await asked('../outside')).toBe(false);
});
