import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../model/glob.ts';
import { selectFiles } from '../../git/select-files.ts';

const entry = (path: string) => ({ path, mode: '100644', type: 'blob', oid: 'x', size: 1 }) as const;
const names = (files: readonly { name: string }[]) => files.map(({ name }) => name);

describe('globs', () => {
  test.each([
    ['**/*.orch.yaml', 'load.orch.yaml', true],
    ['**/*.orch.yaml', 'a/b c/load all.orch.yaml', true],
    ['**/*.orch.yaml', 'a/load.orch.yaml.bak', false],
    ['**/*.orch.yaml', '.hidden/load.orch.yaml', false],
    ['**/*.orch.yaml', 'a/.load.orch.yaml', false],
    ['.platform/**', '.platform/config/rules.yaml', true],
    ['**/.platform/*', 'a/.platform/x', true],
    ['*.sql', 'a/b.sql', false],
    ['*.sql', 'größe.sql', true],
    ['./*.sql', 'a.sql', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'ab/c', false],
    ['a/**', 'b', false],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/z', 'a/b/.c/z', false],
    ['**', 'a/b', true],
    ['?.py', 'é.py', true],
    ['?.py', '.py', false],
    ['a?c', 'a/c', false],
    ['*.{sql,py}', 'x.py', true],
    ['*.{sql,py}', 'x.yaml', false],
    ['{a,b/{c,d}}/*.sql', 'b/d/x.sql', true],
    ['{a,b/{c,d}}/*.sql', 'b/x.sql', false],
    ['a{b.sql', 'a{b.sql', true],
    ['a{b}.sql', 'a{b}.sql', true],
    ['{.platform,x}/*', '.platform/y', true],
    ['[a].sql', '[a].sql', true],
    ['(a|b).sql', 'a.sql', false],
    ['a.sql', 'aXsql', false],
    ['a**b', 'axxb', true],
    ['folder with end /*.sql', 'folder with end /x.sql', true],
    ['*a*b*c', 'xaxbxbxc', true],
    ['*a*b*c', 'xaxcxb', false],
  ])('%s fits %s: %s', (glob, path, fits) => {
    expect(compileGlob(glob)(path)).toBe(fits);
  });

  test('a pattern made to explode is answered all the same', () => {
    expect(compileGlob(`${'*a'.repeat(200)}b`)('a'.repeat(5000))).toBe(false);
    expect(compileGlob('**/'.repeat(200) + 'x')('a/'.repeat(500) + 'y')).toBe(false);
    expect(() => compileGlob('{a,b}'.repeat(40))).toThrow(RangeError);
    expect(() => compileGlob('{{a,b},{c,d}}'.repeat(6))).toThrow('too many alternatives');
  });
});

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

  test('a file that fits two globs is selected once, and none without a glob', () => {
    expect(names(selectFiles([entry('a.sql')], { include: ['*', '*.sql'] }))).toEqual(['a.sql']);
    expect(selectFiles([entry('a.sql')], { include: [] })).toEqual([]);
  });
});
