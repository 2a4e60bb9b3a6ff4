import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceFiles, root, topFolders } from './repository-files.ts';

const files = topFolders().flatMap(readSourceFiles);
const product = files.filter((file) => !/^(test|examples|docs|tools\/bench)\//.test(file.path));

test('no file of the product has more than 300 lines', () => {
  expect(product.filter((file) => file.lines > 300).map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
});

/** Folders in which each file is one thing of a kind: a component, the test of one, or a command. */
const oneFileEach: readonly string[] = [
  'engine/components',
  'test/engine/components',
  'cli/commands/project',
];

test('no folder has more than 25 files of code, unless each is one component, rule, command or operation', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const code = tracked.filter(
    (path) => /\.(ts|mjs|lua|py|css)$/.test(path) && !/(^dist\/|\/fixtures\/|(^|\/)index\.ts$)/.test(path),
  );
  const folders = Map.groupBy(code, (path) => posix.dirname(path));
  expect(folders.size).toBeGreaterThan(100);
  const full = [...folders].filter(([folder, { length }]) => length > 25 && !oneFileEach.includes(folder));
  expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});

test('file names are in kebab-case', () => {
  const name = /^[a-z0-9]+(-[a-z0-9]+)*(\.deep)?(\.(test|config|d))?\.ts$/;
  const vague = /(^|\/)(utils?|helpers?|common|misc|shared-code|stuff)(\/|\.ts$)/;
  const faults = files.filter(({ path }) => !name.test(path.split('/').at(-1) ?? '') || vague.test(path));
  expect(faults.map((file) => file.path)).toEqual([]);
});

test('the only binary files are pictures of the documentation', () => {
  const all = execFileSync('git', ['ls-files', '--eol'], { cwd: root, encoding: 'utf8' }).split('\n');
  const binary = all.filter((line) => line.startsWith('i/-text')).map((line) => line.split('\t')[1]);
  expect(binary.filter((path) => !/^docs\/pictures\/.*\.png$/.test(path ?? ''))).toEqual([]);
  expect(binary).not.toEqual([]);
});
