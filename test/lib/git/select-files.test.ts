import { describe, expect, test } from 'vitest';
import { hiddenFiles, selectFiles } from '../../../lib/git/select-files.ts';

const entry = (path: string) => ({ path, mode: '100644', type: 'blob', oid: 'x', size: 1 }) as const;
const names = (files: readonly { name: string }[]) => files.map(({ name }) => name);

describe('selecting', () => {
  test('names are relative to the project, paths to the repository', () => {
    const entries = ['finance/b.sql', 'finance/a/c.sql', 'finance2/d.sql', 'e.sql'].map(entry);
    const selected = selectFiles(entries, { include: ['**/*.sql'] }, 'finance');
    expect(selected.map(({ name, path }) => [name, path])).toEqual([
      ['a/c.sql', 'finance/a/c.sql'],
      ['b.sql', 'finance/b.sql'],
    ]);
  });

  test('what is excluded stays out, however it was included', () => {
    const entries = ['a.sql', 'tests/b.sql', 'c.py'].map(entry);
    expect(names(selectFiles(entries, { include: ['**/*.sql', '**'], exclude: ['tests/**'] }))).toEqual([
      'a.sql',
      'c.py',
    ]);
  });

  test('hidden files are those that only a dot in a name keeps out', () => {
    const paths = ['a.sql', '.b.sql', 'x/.y/.z/c.sql', 'x/..d.sql', '.e.py', '.out/f.sql', '.in/g.sql'];
    const selection = { include: ['**/*.sql', '.in/**'], exclude: ['.out/**'] };
    expect(names(hiddenFiles(paths.map(entry), selection))).toEqual(['.b.sql', 'x/.y/.z/c.sql', 'x/..d.sql']);
    expect(names(hiddenFiles([entry('p/.b.sql'), entry('.q/b.sql')], selection, 'p'))).toEqual(['.b.sql']);
  });

  test('files of installed packages match only a glob that names their folder', () => {
    const entries = [
      'a.sql',
      'node_modules',
      'node_modules/b.sql',
      'x/node_modules/c/d.sql',
      'my_node_modules/e.sql',
    ].map(entry);
    expect(names(selectFiles(entries, { include: ['**/*.sql', '**'] }))).toEqual([
      'a.sql',
      'my_node_modules/e.sql',
      'node_modules',
    ]);
    expect(names(selectFiles(entries, { include: ['node_modules/*.sql'] }))).toEqual(['node_modules/b.sql']);
    expect(hiddenFiles([entry('node_modules/.b/c.sql')], { include: ['**/*.sql'] })).toEqual([]);
  });

  test('a file that fits two globs is selected once, and none without a glob', () => {
    expect(names(selectFiles([entry('a.sql')], { include: ['*', '*.sql'] }))).toEqual(['a.sql']);
    expect(selectFiles([entry('a.sql')], { include: [] })).toEqual([]);
  });
});
