import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFault, mayImport, rowOf } from '../../tools/lint/import-fault.ts';
import { freeFolders, importTable } from '../../tools/lint/import-table.ts';
import { layered, merged, withRooms } from '../../tools/lint/layers.ts';
import { folderCycles, type ImportEdge } from './folder-cycles.ts';
import { inspect, readSourceFiles, root, type SourceFile, topFolders } from './repository-files.ts';

/** Where a program starts: only here may the environment and an action's inputs be read. */
const entryFiles: readonly RegExp[] = [
  /^cli\/main\.ts$/,
  /^actions\/[^/]+\/main\.ts$/,
  /^(tools|examples)\//,
  /^[^/]+\.config\.ts$/,
];

const files = topFolders()
  .filter((folder) => !['docs', 'test'].includes(folder))
  .flatMap(readSourceFiles);

const edges: readonly ImportEdge[] = files.flatMap(({ path, imports }) =>
  imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: path, to: posix.join(posix.dirname(path), specifier) })),
);

test('every import is allowed by the table of the layers', () => {
  const faults = files.flatMap((file) => file.imports.map((specifier) => importFault(file.path, specifier)));
  expect(faults.filter((line) => line !== undefined)).toEqual([]);
});

test('the test reads every file of the product that git knows, and finds imports in most', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).split('\n');
  const read = new Set(files.map(({ path }) => path));
  const notRead = tracked.filter(
    (path) => /^(?!docs|test|dist|examples\/warehouse)[^/]+\//.test(path) && !read.has(path),
  );
  expect(notRead.filter((path) => existsSync(join(root, path)))).toEqual([]);
  expect(files.filter((file) => file.imports.length > 0).length).toBeGreaterThan(files.length / 2);
});

test('no imports form a cycle, at any depth, types included', () => {
  expect(folderCycles(edges)).toEqual([]);
});

const rows = Object.keys(importTable);
const importable = new Map(
  rows.map((row) => [row, rows.filter((next) => next !== row && mayImport(row, next))]),
);

/** The rows that a row may import, directly or through others; itself only through a cycle. */
function reached(row: string, found = new Set<string>()): ReadonlySet<string> {
  for (const next of importable.get(row) ?? []) {
    if (found.has(next)) continue;
    found.add(next);
    reached(next, found);
  }
  return found;
}

test('the table allows no cycle between folders', () => {
  expect(rows.filter((row) => reached(row).has(row))).toEqual([]);
});

test('every row of the import table has files', () => {
  const used = new Set(files.map(({ path }) => rowOf(path)));
  expect(rows.filter((row) => !used.has(row))).toEqual([]);
});

test('every folder that a row lists exists', () => {
  const listed = new Set(Object.values(importTable).flatMap(({ folders }) => folders));
  expect([...listed].filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

test('client and platform do not import each other, directly or through others', () => {
  const below = (top: string): string[] =>
    rows.filter((row) => row.startsWith(`${top}/`)).flatMap((row) => [...reached(row)]);
  expect(below('platform').filter((folder) => folder.startsWith('client'))).toEqual([]);
  expect(below('client').filter((folder) => folder.startsWith('platform'))).toEqual([]);
});

test('only entry files read the environment and the inputs of actions', () => {
  const faults = files
    .filter((file) => !entryFiles.some((pattern) => pattern.test(file.path)))
    .flatMap((file) => file.readsSettings.map((line) => `${file.path}:${line}`));
  expect(faults).toEqual([]);
});

test('every top-level folder with code is in the import table, or may import everything', () => {
  const ruled = new Set(Object.keys(importTable).map((row) => row.split('/')[0]));
  expect(topFolders().filter((folder) => !ruled.has(folder) && !freeFolders.includes(folder))).toEqual([]);
});

describe('the parser finds', () => {
  const seen = (text: string): Pick<SourceFile, 'imports' | 'readsSettings'> =>
    inspect('client/sample.ts', text);

  test.each([
    ["import { a } from '../platform/a.ts';"],
    ["import type { a } from '../platform/a.ts';"],
    ["export { a } from '../platform/a.ts';"],
    ["export * from '../platform/a.ts';"],
    ["const a = await import('../platform/a.ts');"],
    ["type A = import('../platform/a.ts').A;"],
  ])('%s', (text) => {
    expect(seen(text).imports).toEqual(['../platform/a.ts']);
  });

  test.each([
    ['const a = process.env.A;'],
    ["const a = process['env'].A;"],
    ['const { A } = globalThis.process.env;'],
    ["import { env } from 'node:process';"],
    ["core.getInput('a');"],
    ["getBooleanInput('a');"],
  ])('%s', (text) => {
    expect(seen(text).readsSettings).toEqual([1]);
  });

  test('nothing in comments and strings', () => {
    expect(seen('// process.env.A\nconst a = \'import x from "../platform/a.ts"\';')).toEqual({
      imports: [],
      readsSettings: [],
    });
  });
});

describe('an import is refused', () => {
  test.each([
    ['client/a.ts', '../platform/app/b.ts', 'imports platform/app/b.ts'],
    ['worker/store/a.ts', '../web/b.ts', 'imports worker/web/b.ts'],
    ['worker/records/a.ts', '../store/scripts/b.ts', 'imports worker/store/scripts/b.ts'],
    ['lib/git/objects/a.ts', '../repository.ts', 'imports lib/git/repository.ts'],
    ['worker/store/lanes/a.ts', '../recovery/b.ts', 'imports worker/store/recovery/b.ts'],
    ['lib/core/text/a.ts', 'zod', 'the package zod'],
    ['worker/app/a.ts', 'bullmq', 'only worker/queue may'],
    ['worker/store/jobs/a.ts', 'bullmq/dist/esm/scripts/addStandardJob-9.js', 'only worker/queue may'],
    ['worker/queue/a.ts', '../store/lanes/b.ts', 'imports worker/store/lanes/b.ts'],
    ['flows/run/a.ts', '@actions/core', 'the package @actions/core'],
    ['lib/core/text/a.ts', './b', 'lacks its extension'],
    ['lib/core/text/a.ts', 'fs', 'node:fs'],
    ['lib/core/text/a.ts', '?', 'known only at run time'],
    ['worker/elsewhere/a.ts', './b.ts', 'missing in tools/lint/import-table.ts'],
    ['worker/store/elsewhere/a.ts', './b.ts', 'missing in tools/lint/import-table.ts'],
    ['lib/core/a.ts', './b.ts', 'missing in tools/lint/import-table.ts'],
  ])('from %s of %s', (file, specifier, message) => {
    expect(importFault(file, specifier)).toContain(message);
  });

  test.each([
    ['lib/core/text/a.ts', 'node:fs'],
    ['worker/web/a.ts', '../records/b.ts'],
    ['worker/queue/a.ts', 'bullmq'],
    ['worker/store/jobs/a.ts', '../../queue/b.ts'],
    ['worker/web/a.ts', '../store/lanes/b.ts'],
    ['lib/git/work-tree/a.ts', '../repository.ts'],
    ['engine/dialect/write/functions/a.ts', '../../parse/b.ts'],
    ['cli/main.ts', './commands/project/b.ts'],
    ['tools/demo/a.ts', '../../platform/world/b.ts'],
  ])('but not from %s of %s', (file, specifier) => {
    expect(importFault(file, specifier)).toBeUndefined();
  });
});

describe('the table refuses', () => {
  test('a folder that is listed twice', () => {
    expect(() => layered(['a', ['b', 'c'], 'b'], [])).toThrow('b is listed twice');
    expect(() => merged({ a: { folders: [] } }, { a: { folders: ['b'] } })).toThrow('a is listed twice');
    expect(() => withRooms({ a: { folders: [] } }, { a: ['.', 'b', ['.']] })).toThrow('a is listed twice');
  });

  test('rooms of a folder that it does not list', () => {
    expect(() => withRooms({}, { a: ['b'] })).toThrow('a has rooms, but is not in the table');
  });
});

describe('a cycle is found', () => {
  const edge = (from: string, to: string): ImportEdge => ({ from, to });

  test('between two files', () => {
    expect(folderCycles([edge('a/b.ts', 'a/c.ts'), edge('a/c.ts', 'a/b.ts')])).toHaveLength(1);
  });

  test('between two folders of the second level, through different files', () => {
    const cycle = [edge('a/b/x.ts', 'a/c/y.ts'), edge('a/c/z.ts', 'a/b/v.ts')];
    expect(folderCycles([...cycle, edge('a/b/x.ts', 'a/b/v.ts')])).toEqual([cycle]);
  });

  test('but not where all imports point down', () => {
    expect(folderCycles([edge('a/b/x.ts', 'a/c/y.ts'), edge('a/m.ts', 'a/b/x.ts')])).toEqual([]);
  });
});
