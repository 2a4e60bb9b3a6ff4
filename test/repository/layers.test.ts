import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { house, type HouseFile, inspect, readHouseFiles, topFolders } from './house-files.ts';
import { entryFiles, folderRules } from './house-rules.ts';

/** Fewer would mean that the walk is broken, not that the house shrank. */
const fewestFiles = 150;

const ruled = Object.keys(folderRules).filter((folder) => existsSync(join(house, folder)));
const files = ruled.flatMap(readHouseFiles);

/** What is wrong with one import, or `undefined`. */
function fault(file: string, specifier: string): string | undefined {
  const [folder = ''] = file.split('/');
  const rule = folderRules[folder];
  if (rule === undefined) return undefined;
  if (specifier === '?') return `${file} imports something that can only be known at run time`;
  if (!specifier.startsWith('.')) {
    const name = packageName(specifier);
    if (isBuiltin(specifier))
      return specifier.startsWith('node:') ? undefined : `${file}: write node:${specifier}`;
    return rule.packages === undefined || rule.packages.includes(name)
      ? undefined
      : `${file} imports the package ${name}, which ${folder}/ may not`;
  }
  const target = posix.join(posix.dirname(file), specifier);
  const [targetFolder = ''] = target.split('/');
  if (!/\.(ts|json)$/.test(specifier)) return `${file}: ${specifier} lacks its ending`;
  if (target.includes('package.json')) return undefined;
  return targetFolder === folder || rule.folders.includes(targetFolder)
    ? undefined
    : `${file} imports ${target}, which ${folder}/ may not`;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

test(`the imports of ${files.length} files in ${ruled.length} folders follow the arrows of the design`, () => {
  const faults = files.flatMap((file) => file.imports.map((specifier) => fault(file.path, specifier)));
  expect(faults.filter((line) => line !== undefined)).toEqual([]);
});

test('the walk sees the house: enough files, and imports in them', () => {
  expect(files.length).toBeGreaterThanOrEqual(fewestFiles);
  expect(files.filter((file) => file.imports.length > 0).length).toBeGreaterThan(files.length / 2);
});

test('the arrows make no circle between folders', () => {
  const reaches = (from: string, to: string): boolean =>
    folderRules[from]?.folders.some((next) => next === to || reaches(next, to)) ?? false;
  expect(Object.keys(folderRules).filter((folder) => reaches(folder, folder))).toEqual([]);
});

test('client and platform never meet, directly or through others', () => {
  const reached = (from: string): string[] =>
    folderRules[from]?.folders.flatMap((next) => [next, ...reached(next)]) ?? [];
  expect(reached('platform')).not.toContain('client');
  expect(reached('client')).not.toContain('platform');
});

test('the environment and the inputs of actions are read in entry files only', () => {
  const faults = files
    .filter((file) => !entryFiles.some((pattern) => pattern.test(file.path)))
    .flatMap((file) => file.readsSettings.map((line) => `${file.path}:${line}`));
  expect(faults).toEqual([]);
});

test('every top folder with code has a rule, or is one of those that may import all', () => {
  const free = new Set(['test', 'docs', 'bench', 'demo', 'setup', 'examples']);
  expect(topFolders().filter((folder) => folderRules[folder] === undefined && !free.has(folder))).toEqual([]);
});

describe('the walk notices', () => {
  const seen = (text: string): Pick<HouseFile, 'imports' | 'readsSettings'> =>
    inspect('client/sample.ts', text);

  test.each([
    ["import { a } from '../platform/a.ts';"],
    ["import type { a } from '../platform/a.ts';"],
    ["export { a } from '../platform/a.ts';"],
    ["export * from '../platform/a.ts';"],
    ["const a = await import('../platform/a.ts');"],
    ["type A = import('../platform/a.ts').A;"],
  ])('%s', (text) => {
    const [specifier = ''] = seen(text).imports;
    expect(fault('client/sample.ts', specifier)).toContain('platform/a.ts');
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

  test('a package that a folder may not use, and an import without its ending', () => {
    expect(fault('model/a.ts', 'zod')).toContain('the package zod');
    expect(fault('flows/a.ts', '@actions/core')).toContain('the package @actions/core');
    expect(fault('model/a.ts', './b')).toContain('lacks its ending');
    expect(fault('model/a.ts', 'fs')).toContain('node:fs');
    expect(fault('model/a.ts', 'node:fs')).toBeUndefined();
    expect(fault('platform/a.ts', '../client/b.ts')).toContain('client/b.ts');
  });
});
