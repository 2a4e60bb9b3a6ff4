import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, topFolders } from './repository-files.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const walks = (/## Four walks\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '').split(/^\*\*(.+)\*\*$/m).slice(1);
const steps = walks.flatMap((title, index) => {
  const files = [...(walks[index + 1] ?? '').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  return index % 2 === 0 ? [{ title, files }] : [];
});

test('CONTRIBUTING names only files and folders that exist', () => {
  const named = [...text.matchAll(/`((?:[\w-]+\/)+(?:[\w-]+\.(?:ts|md))?)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(60);
  expect(
    named
      .filter((name) => !name.startsWith('node_modules') && !name.startsWith('.millrace'))
      .filter((name) => !existsSync(join(root, name))),
  ).toEqual([]);
});

test('CONTRIBUTING names files without their folder only if a file has that name', () => {
  const named = [...text.matchAll(/`([\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|lua|py))`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(10);
  const present = new Set(
    topFolders().flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
    ),
  );
  expect(named.filter((name) => !present.has(name))).toEqual([]);
});

test('CONTRIBUTING has four walks', () => {
  expect(steps).toHaveLength(4);
});

test.each(steps)('the walk “$title” has at most twelve files', ({ files }) => {
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThanOrEqual(12);
});
