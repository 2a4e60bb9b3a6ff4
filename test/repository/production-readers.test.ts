import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceFiles, root } from './repository-files.ts';

const folders = ['actions', 'cli', 'client', 'engine', 'flows', 'lib', 'local-github', 'platform', 'worker'];

/** What only tools or tests read, and the file that does. All else that no production file reads is dead code. */
const otherReaders: Readonly<Record<string, string>> = {
  commandResults: 'tools/docs/generate.ts',
  resultSchema: 'tools/docs/generate.ts',
  referenceOf: 'tools/docs/generate.ts',
  configSchemas: 'tools/docs/generate.ts',
  knownDifferences: 'tools/docs/engine-page.ts',
  statementNames: 'tools/docs/engine-page.ts',
  noEffectNames: 'tools/docs/engine-page.ts',
  checkedEvents: 'test/actions/documentation.test.ts',
  documentedContentLimits: 'test/worker/reporting/github/shown-in-time.ts',
  writtenPaths: 'test/worker/reporting/github/reporter-environment.ts',
};

/** The bundles of the actions call its exports by name. */
const entryFile = 'actions/index.ts';

// Knip counts what tests import, and does not see who takes one name of a module that is loaded late.
test('a function, class or constant that is exported has a reader in production, or one that is listed', () => {
  const files = folders.flatMap(readSourceFiles).map(({ path }) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, names: namesIn(text) };
  });
  const tracked = execFileSync('git', ['ls-files', ...folders.map((folder) => `${folder}/*.ts`)], {
    cwd: root,
    encoding: 'utf8',
  });
  const read = new Set(files.map(({ path }) => path));
  expect(
    tracked
      .trim()
      .split('\n')
      .filter((path) => !read.has(path) && existsSync(join(root, path))),
  ).toEqual([]);
  const counts = new Map<string, number>();
  for (const { names } of files)
    for (const [name, count] of names) counts.set(name, (counts.get(name) ?? 0) + count);
  const unread = files
    .filter(({ path }) => path !== entryFile)
    .flatMap(({ text }) => [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)])
    .map(([, name = '']) => name)
    .filter((name) => counts.get(name) === 1);
  expect(unread.toSorted()).toEqual(Object.keys(otherReaders).toSorted());
});

test.each(Object.entries(otherReaders))('%s is read by %s', (name, reader) => {
  expect(namesIn(readFileSync(join(root, reader), 'utf8')).has(name)).toBe(true);
});

/** How often each name occurs outside comments. */
function namesIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
