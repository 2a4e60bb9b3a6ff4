import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFault } from '../../tools/lint/import-fault.ts';
import { freeFolders, importTable } from '../../tools/lint/import-table.ts';
import { folderCycles, type ImportEdge } from './folder-cycles.ts';
import { inspect, readSourceFiles, type SourceFile, topFolders } from './repository-files.ts';

/** Fewer would mean that reading the tree is broken, not that the repository shrank. */
const minFiles = 700;

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

test('the test reads the whole repository, and finds imports in most files', () => {
  expect(files.length).toBeGreaterThanOrEqual(minFiles);
  expect(files.filter((file) => file.imports.length > 0).length).toBeGreaterThan(files.length / 2);
});

test('no imports form a cycle, at any depth, types included', () => {
  expect(folderCycles(edges)).toEqual([]);
});

test('the table allows no cycle between folders', () => {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    importTable[from]?.folders.some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    }) ?? false;
  expect(Object.keys(importTable).filter((folder) => reaches(folder, folder))).toEqual([]);
});

test('every row of the import table has files', () => {
  const empty = Object.keys(importTable).filter(
    (row) => !files.some(({ path }) => path === row || path.startsWith(`${row}/`)),
  );
  expect(empty).toEqual([]);
});

test('client and platform do not import each other, directly or through others', () => {
  const reached = (from: string, found = new Set<string>()): readonly string[] => {
    for (const next of importTable[from]?.folders ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      reached(next, found);
    }
    return [...found];
  };
  const rows = (top: string): string[] => Object.keys(importTable).filter((row) => row.startsWith(`${top}/`));
  expect(
    rows('platform')
      .flatMap((row) => reached(row))
      .filter((folder) => folder.startsWith('client')),
  ).toEqual([]);
  expect(
    rows('client')
      .flatMap((row) => reached(row))
      .filter((folder) => folder.startsWith('platform')),
  ).toEqual([]);
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
    ['lib/core/a.ts', 'zod', 'the package zod'],
    ['flows/run/a.ts', '@actions/core', 'the package @actions/core'],
    ['lib/core/a.ts', './b', 'lacks its extension'],
    ['lib/core/a.ts', 'fs', 'node:fs'],
    ['lib/core/a.ts', '?', 'known only at run time'],
    ['worker/elsewhere/a.ts', './b.ts', 'missing in tools/lint/import-table.ts'],
  ])('from %s of %s', (file, specifier, message) => {
    expect(importFault(file, specifier)).toContain(message);
  });

  test.each([
    ['lib/core/a.ts', 'node:fs'],
    ['worker/web/a.ts', '../records/b.ts'],
    ['cli/main.ts', './commands/project/b.ts'],
    ['tools/demo/a.ts', '../../platform/world/b.ts'],
  ])('but not from %s of %s', (file, specifier) => {
    expect(importFault(file, specifier)).toBeUndefined();
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
