import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../../../lib/core/files/glob.ts';

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

  test('a pattern with exponential backtracking is matched in bounded time', () => {
    expect(compileGlob(`${'*a'.repeat(200)}b`)('a'.repeat(5000))).toBe(false);
    expect(compileGlob('**/'.repeat(200) + 'x')('a/'.repeat(500) + 'y')).toBe(false);
    expect(() => compileGlob('{a,b}'.repeat(40))).toThrow(RangeError);
    expect(() => compileGlob('{{a,b},{c,d}}'.repeat(6))).toThrow('more than 1024 alternatives');
  });
});
