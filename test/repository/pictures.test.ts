import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { graphName, pictureNames, sessionName } from '../../tools/pictures/picture-list.ts';
import { root } from './repository-files.ts';

const folder = 'docs/pictures';
const names = [...pictureNames, sessionName, graphName];
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

test('docs/pictures holds exactly what npm run docs, docs:pictures and docs:session write', () => {
  expect(readdirSync(join(root, folder)).toSorted()).toEqual(names.toSorted());
});

test('the pages show every picture, and no other', () => {
  const paths = new Set(shown.map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(names.map((name) => `${folder}/${name}`).toSorted());
});

test.each(shown)('$page describes $path in its alternative text', ({ alt }) => {
  expect(alt.length).toBeGreaterThan(30);
});

test.each(names)('%s has less than 200 kB', (name) => {
  expect(statSync(join(root, folder, name)).size).toBeLessThan(200_000);
});

test('the recorded session shows all lines at once to readers who prefer reduced motion, and loads nothing', () => {
  const svg = readFileSync(join(root, folder, sessionName), 'utf8');
  const moving = '@media (prefers-reduced-motion: no-preference) { text { animation: show';
  expect(svg).toContain(moving);
  expect(svg.replace(moving, '')).not.toMatch(/opacity: 0; \}(?! to)|animation:/);
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|@import|url\(/);
});
