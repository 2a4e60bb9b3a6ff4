import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, topFolders } from './repository-files.ts';

/** Tests mirror the folders that they test, docs are read as pages, and the example is a project of its own. */
const withoutSecondLevel = new Set(['docs', 'examples', 'test']);

/** Folders that commands make; git ignores them. */
const made = new Set(['build/', 'node_modules/', '.millrace/']);

const top = topFolders();
const secondLevel = top
  .filter((folder) => !withoutSecondLevel.has(folder))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => `${folder}/${entry.name}`),
  );

test('there are folders to check', () => {
  expect(top.length).toBeGreaterThan(8);
  expect(secondLevel.length).toBeGreaterThan(40);
});

const withOwnReadme = top.filter((folder) => folder !== 'docs');

test.each([...withOwnReadme, ...secondLevel.filter((folder) => !isPage(folder))])(
  '%s/ has a README of at most ten lines',
  (folder) => {
    const readme = join(root, folder, 'README.md');
    expect(existsSync(readme), `${folder}/README.md`).toBe(true);
    const lines = readFileSync(readme, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.join(' ').length).toBeGreaterThan(80);
  },
);

test.each(secondLevel.filter(isPage))('%s/ has the documentation of its action as README', (folder) => {
  const page = readFileSync(join(root, folder, 'README.md'), 'utf8');
  expect(page.includes('<!-- generated: inputs and outputs -->')).toBe(true);
});

test('docs/README.md is an index that links to every page of docs/', () => {
  const index = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
  const linked = new Set(Array.from(index.matchAll(/\]\(([^)#]+)\)/g), ([, target = '']) => target));
  const pages = ['', 'actions/'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}${name}`),
  );
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
  expect([...linked].filter((target) => !existsSync(join(root, 'docs', target)))).toEqual([]);
});

/** The README of an action is its page for users, generated from its inputs. */
function isPage(folder: string): boolean {
  return existsSync(join(root, folder, 'action.yml'));
}

test.each([...top, ...secondLevel.filter((folder) => !isPage(folder))])(
  '%s/README.md names only files and folders that exist, by their path from this folder or from the root',
  (folder) => {
    const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
    const named = [...text.matchAll(/`((?:\.\.\/)*[\w./-]+(?:\.(?:ts|mjs)|\/))`/g)].map(
      ([, name = '']) => name,
    );
    const exists = (name: string): boolean =>
      made.has(name) ||
      [folder, '.'].some((base) => existsSync(join(root, base, name))) ||
      (folder === 'actions' && existsSync(join(root, folder, 'review', name)));
    const missing = named.filter((name) => !exists(name));
    expect(missing).toEqual([]);
  },
);
