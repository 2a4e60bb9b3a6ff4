import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkedEvents } from '../../lib/github/workflow-run/event-target.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const folders = ['actions', 'flows', 'client', 'lib', 'tools/actions'];
const sources = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.ts'))
  .map(read)
  .join('\n')
  // Messages are templates. Users search for the text between the variables.
  .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/gu, '…');

/** GitHub's own words and our own before them, and a name that the message gets from a setting. */
const frame =
  /^GitHub could not |^millrace\.yaml | \((?:403\): Resource not accessible by integration|401\): Bad credentials)$/gu;

const headings = Array.from(
  read('docs/TROUBLESHOOTING.md').matchAll(/^## (.+)$/gmu),
  ([, text = '']) => text,
);

test.each(headings)('the heading "%s" is a message of the code', (heading) => {
  const parts = heading
    .replaceAll(frame, '')
    .split(/…|: |"|\.$/u)
    .map((part) => part.trim())
    .filter((part) => part.length > 3);
  expect(parts).not.toEqual([]);
  for (const part of parts) expect(sources, part).toContain(part);
});

test('the security page mentions every action', () => {
  const page = read('docs/SECURITY.md');
  const actions = readdirSync(join(root, 'actions'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'kit',
  );
  for (const { name } of actions) expect(page).toContain(`\`${name}\``);
});

const pages = [
  'docs/TROUBLESHOOTING.md',
  'docs/SECURITY.md',
  ...readdirSync(join(root, 'docs/actions')).map((name) => `docs/actions/${name}`),
];

test.each(pages)('%s links only to existing files', (page) => {
  const links = Array.from(read(page).matchAll(/\]\(([^)#]+)/gu), ([, target = '']) => target).filter(
    (target) => !target.includes('://'),
  );
  for (const target of links) expect(existsSync(join(root, dirname(page), target)), target).toBe(true);
});

test('every test that the page on limits quotes exists', () => {
  const tests = [
    'test/actions',
    'test/environment/github',
    'test/lib/github',
    'test/lib/report',
    'test/runner',
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .map(read)
    .join('\n');
  const entries = read('docs/actions/limits.md').split(/^- /mu).slice(1);
  expect(entries.length).toBeGreaterThan(20);
  for (const entry of entries) {
    const titles = Array.from(entry.matchAll(/^ {2}- "([^"]+)"$/gmu), ([, title = '']) => title);
    expect(titles, entry).not.toEqual([]);
    for (const title of titles) expect(tests).toContain(title);
  }
});

test('the table of events on the page on reviews lists exactly the events that are about a commit', () => {
  const [, table = ''] = /^\| event .*\n\| -+.*\n((?:\|.*\n)+)/mu.exec(read('docs/actions/reviews.md')) ?? [];
  const rows = table.split('\n').filter((row) => row !== '' && !row.includes('every other'));
  const events = rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/gu), ([, name = '']) => name),
  );
  expect([...new Set(events)].toSorted()).toEqual([...checkedEvents].toSorted());
});
