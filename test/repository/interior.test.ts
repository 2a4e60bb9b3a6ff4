import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './repository-files.ts';

const { interiorTests } = (await import(pathToFileURL(join(root, 'tools/setup/test-interior.mjs')).href)) as {
  readonly interiorTests: Readonly<Record<string, readonly string[]>>;
};

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Imports of files that a package publishes without documenting them. */
const interior = "'(@[a-z-]+/)?[a-z][a-z-]*/(lib|dist)/";
const product = ['actions', 'cli', 'client', 'engine', 'flows', 'lib', 'platform', 'worker'];

test('each package whose interior the product imports has tests, which run with its newest version every night', () => {
  const found = execFileSync('git', ['grep', '-hoE', `(from |import\\()${interior}`, '--', ...product], {
    cwd: root,
    encoding: 'utf8',
  });
  const names = Array.from(found.matchAll(/'((?:@[^/]+\/)?[^/]+)\//g), ([, name = '']) => name);
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(interiorTests).toSorted());
  const nightly = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8')) as {
    jobs: Record<string, { strategy?: { matrix?: { package?: readonly string[] } } }>;
  };
  expect(nightly.jobs['newest']?.strategy?.matrix?.package).toEqual(Object.keys(interiorTests));
});

test('those packages are pinned, and their tests exist', () => {
  for (const [name, paths] of Object.entries(interiorTests)) {
    expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
    for (const path of paths) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  }
});
