import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, topFolders } from './repository-files.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
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
