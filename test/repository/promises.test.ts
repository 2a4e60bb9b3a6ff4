import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './repository-files.ts';

const sections = readFileSync(join(root, 'docs', 'promises.md'), 'utf8')
  .split(/^## /mu)
  .slice(1)
  .map((section) => ({ title: section.split('\n', 1)[0] ?? '', section }));
const files = new Set(
  globSync(['{engine,flows,worker}/**/*.{ts,lua,py}', 'test/**/*.test.ts'], { cwd: root }).map((path) =>
    basename(path),
  ),
);

test('docs/promises.md numbers its promises from 1 without gaps', () => {
  expect(sections.map(({ title }) => Number.parseInt(title, 10))).toEqual(sections.map((_, i) => i + 1));
  expect(sections.length).toBeGreaterThan(10);
});

test.each(sections)(
  'promise $title names tests, each with a sentence, and only files that exist',
  ({ section }) => {
    const [, tests = ''] = /^- Tests:\n(.*?)^- Removed:\n/msu.exec(section) ?? [];
    expect(tests).toMatch(/`[\w-]+(?:\.deep)?\.test\.ts`|`npm run test:chaos`/u);
    for (const item of itemsOf(tests))
      expect(item).toMatch(/^`(?:[\w-]+(?:\.deep)?\.test\.ts|npm run [\w: -]+)`.*\.$/su);
    const named = Array.from(
      section.matchAll(/`([\w-]+(?:(?:\.deep)?\.test)?\.(?:ts|lua|py))`/gu),
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !files.has(name))).toEqual([]);
  },
);

test.each(sections)('promise $title names what was removed, each with its result', ({ section }) => {
  const [, removed = ''] = /^- Removed:\n((?: {2}.*\n)+)/mu.exec(section) ?? [];
  const items = itemsOf(removed);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item).toMatch(/\. Result: [^.].*\.$/su);
});

/** The items of a nested list. */
function itemsOf(list: string): readonly string[] {
  return list
    .split(/^ {2}- /mu)
    .slice(1)
    .map((item) => item.replaceAll(/\s+/gu, ' ').trim());
}
