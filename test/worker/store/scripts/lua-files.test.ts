import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScript } from '../../../../lib/redis/scripts/lua-script.ts';

describe('the Lua files of the worker', () => {
  const worker = path.resolve(import.meta.dirname, '../../../../worker');
  const files = readdirSync(worker, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.lua'))
    .map((name) => path.join(worker, name));
  const textOf = (file: string): string => readFileSync(file, 'utf8');
  const fragments = path.join(worker, 'queue/fragments.ts');
  const namesIn = (file: string, pattern: RegExp): readonly string[] =>
    Array.from(textOf(file).matchAll(pattern), ([, name = '']) => path.join(path.dirname(file), name));
  const included = new Set([
    ...files.flatMap((file) => namesIn(file, /^--- include: (\S+)$/gm)),
    ...namesIn(fragments, /read\('(\S+)'\)/g),
  ]);
  const scripts = files.filter((file) => !included.has(file));

  test('each have a name of their own, by which a connection knows them', () => {
    const names = files.map((file) => path.basename(file));
    expect(names.length).toBeGreaterThan(40);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test.each(scripts.map((file) => path.relative(worker, file)))(
    '%s lists keys, arguments, answer',
    (name) => {
      const header = /^(?:--.*\n)+/.exec(textOf(path.join(worker, name)))?.[0] ?? '';
      expect(header).toMatch(/^-- KEYS: /m);
      expect(header).toMatch(/^-- Arguments: /m);
      expect(header).toMatch(/^-- Answers /m);
    },
  );

  test.each(scripts.map((file) => path.relative(worker, file)))(
    '%s names in its header each argument that it reads',
    (name) => {
      const file = path.join(worker, name);
      const { source } = readScript(file);
      const headers = source.match(/^--.*$/gm)?.join('\n') ?? '';
      const read = new Set(Array.from(source.matchAll(/\bargs\.(\w+)/g), ([, one = '']) => one));
      expect(read.size).toBeGreaterThan(0);
      expect([...read].filter((one) => !new RegExp(`\\b${one}\\b`).test(headers))).toEqual([]);
      expect(source).not.toMatch(/ARGV\[[^1]/);
    },
  );
});
