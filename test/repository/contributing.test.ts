import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './repository-files.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
test('CONTRIBUTING names only files and folders that exist', () => {
  const named = [...text.matchAll(/`((?:[\w-]+\/)+(?:[\w.-]+\.(?:ts|md|mjs|lua|py))?)`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(60);
  expect(
    named
      .filter((name) => !name.startsWith('node_modules') && !name.startsWith('.millrace'))
      .filter((name) => !existsSync(join(root, name))),
  ).toEqual([]);
});

/** Names of files that many folders have. */
const commonNames = new Set(['inputs.ts', 'main.ts', 'report.ts']);

test('CONTRIBUTING names every file with its folder', () => {
  const named = [...text.matchAll(/`([\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|lua|py))`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.filter((name) => !commonNames.has(name))).toEqual([]);
});
