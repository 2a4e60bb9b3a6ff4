import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { pictureNames } from '../../tools/pictures/picture-list.ts';
import { root } from './repository-files.ts';

const folder = 'docs/pictures';
const pages = ['*.md', 'docs/**/*.md', 'actions/*/README.md'].flatMap((glob) =>
  globSync(glob, { cwd: root }),
);

/** Every `![alt](path)` of the pages; the path is relative to the root. */
const shown = pages.flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g),
    ([, alt = '', path = '']) => ({ page, alt, path: relative(root, join(root, dirname(page), path)) }),
  ),
);

test('docs/pictures holds exactly the pictures that npm run docs:pictures writes', () => {
  expect(readdirSync(join(root, folder)).toSorted()).toEqual([...pictureNames].toSorted());
});

test('the pages show every picture, and no other', () => {
  const paths = new Set(shown.map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(pictureNames.map((name) => `${folder}/${name}`).toSorted());
});

test.each(shown)('$page describes $path in its alternative text', ({ alt }) => {
  expect(alt.length).toBeGreaterThan(30);
});

test.each(pictureNames)('%s has less than 200 kB', (name) => {
  expect(statSync(join(root, folder, name)).size).toBeLessThan(200_000);
});
