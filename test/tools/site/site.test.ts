import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deadLinks } from '../../../tools/site/check-links.ts';
import { readNavigation, readPages, siteLink } from '../../../tools/site/site-pages.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const pages = readPages(root);
const linkFrom = (source: string, link: string) => {
  const page = pages.find((one) => one.source === source);
  if (page === undefined) throw new Error(`no page ${source}`);
  return siteLink(root, pages, page, link);
};

test('the navigation has the readers of docs/README.md with their pages', () => {
  const groups = readNavigation(pages);
  expect(groups.map(({ title }) => title)).toEqual([
    'Data engineers',
    'Release managers',
    'Platform teams',
    'Developers',
  ]);
  const listed = new Set(groups.flatMap(({ pages: of }) => of.map(({ source }) => source)));
  const unlisted = pages.filter(({ source }) => /^docs\/[^/]+\.md$/.test(source) && !listed.has(source));
  expect(unlisted.map(({ source }) => source)).toEqual(['docs/README.md']);
});

test.each([
  ['a page', 'README.md', 'docs/worker.md', 'docs/worker.html'],
  ['an anchor of another page', 'docs/install.md', 'SECURITY.md#pinning', 'SECURITY.html#pinning'],
  ['an anchor of the page', 'docs/install.md', '#set-up', '#set-up'],
  ['a page in a folder above', 'docs/README.md', '../CONTRIBUTING.md', '../CONTRIBUTING.html'],
  ['the README of a folder', 'docs/README.md', '../examples/client', '../examples/client/index.html'],
  ['a file that is copied', 'docs/README.md', 'openapi.json', 'openapi.json'],
  ['another host', 'docs/README.md', 'https://example.com/a', 'https://example.com/a'],
  ['a source file, which the site does not have', 'docs/README.md', '../cli/main.ts', undefined],
])('a link to %s leads there on the site', (_, source, link, expected) => {
  expect(linkFrom(source, link)).toBe(expected);
});

test('the check finds dead links, dead anchors and what is loaded from another host', () => {
  const site = mkdtempSync(path.join(tmpdir(), 'millrace-site-'));
  try {
    mkdirSync(path.join(site, 'docs'));
    writeFileSync(path.join(site, 'index.html'), '<h1 id="top">A</h1><a href="docs/b.html#there">b</a>');
    writeFileSync(
      path.join(site, 'docs/b.html'),
      '<p id="here"></p><a href="../index.html#top">a</a> <a href="c.html">c</a><script src="https://example.com/x.js"></script>',
    );
    expect(deadLinks(site)).toEqual([
      'docs/b.html: dead link c.html',
      'docs/b.html: loads https://example.com/x.js from another host',
      'index.html: dead link docs/b.html#there',
    ]);
  } finally {
    rmSync(site, { recursive: true });
  }
});
