import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { unchangedSubmoduleFiles } from '../../../../lib/git/work-tree/submodule-files.ts';
import { temporaryRepository } from '../temporary-repository.ts';

test('a submodule has changed if a file of it or of one in it has, whatever git overlooks', async () => {
  using inner = temporaryRepository();
  inner.write('n.sql', 'SELECT 1');
  inner.commit('inner');
  using folder = temporaryRepository();
  const { git, write } = folder;
  write('s.sql', 'SELECT 1');
  write('.gitignore', 'ignored.sql\n');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.directory, 'nested');
  git('config', '-f', '.gitmodules', 'submodule.nested.ignore', 'all');
  const commit = folder.commit('outer');
  write('ignored.sql', 'SELECT 1');
  const ask = async () => {
    const found = await unchangedSubmoduleFiles(folder.directory, commit, {
      environment: { ...process.env, GIT_INDEX_FILE: 'elsewhere' },
      signal: undefined,
    });
    return found === undefined ? undefined : [...found].toSorted();
  };
  const unchanged = ['.gitignore', '.gitmodules', 'nested/n.sql', 's.sql'];
  expect(await ask()).toEqual(unchanged);
  for (const [file, ...flags] of [
    ['nested/n.sql'],
    ['s.sql', '--assume-unchanged'],
    ['s.sql', '--skip-worktree'],
    ['new.sql'],
  ] as const) {
    if (flags.length > 0) git('update-index', ...flags, file);
    write(file, 'SELECT 2');
    expect([file, ...flags, await ask()]).toEqual([file, ...flags, undefined]);
    for (const flag of flags) git('update-index', flag.replace('--', '--no-'), file);
    git('-C', path.dirname(file), 'checkout', '-q', '.');
  }
  // A folder that is not a repository of its own, and one without files: a submodule that is not checked out.
  const of = async (name: string) =>
    unchangedSubmoduleFiles(path.join(folder.directory, name), commit, {
      environment: undefined,
      signal: undefined,
    });
  write('plain/a.sql', '');
  mkdirSync(path.join(folder.directory, 'empty'));
  expect(await of('plain')).toBeUndefined();
  expect(await of('empty')).toEqual(new Set());
});
