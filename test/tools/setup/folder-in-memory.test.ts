import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

interface FolderInMemory {
  folderInMemory(memory: string, neededBytes: number): string | undefined;
}

const module = join(import.meta.dirname, '../../../tools/setup/folder-in-memory.mjs');
const { folderInMemory } = (await import(pathToFileURL(module).href)) as FolderInMemory;

function createMemory(): string {
  const memory = mkdtempSync(join(tmpdir(), 'millrace-memory-'));
  onTestFinished(() => rmSync(memory, { recursive: true, force: true }));
  return memory;
}

test('the temporary files of tests get an empty folder of their own in memory', () => {
  const memory = createMemory();
  const first = folderInMemory(memory, 1) ?? '';
  const second = folderInMemory(memory, 1) ?? '';
  expect([dirname(first), dirname(second)]).toEqual([memory, memory]);
  expect(first).not.toBe(second);
  expect([readdirSync(first), readdirSync(second)]).toEqual([[], []]);
});

test('a folder that a killed run left more than a day ago is removed, and no other', () => {
  const memory = createMemory();
  const other = join(memory, 'of-another-program');
  mkdirSync(other);
  const [left = '', used = ''] = [folderInMemory(memory, 1), folderInMemory(memory, 1)];
  mkdirSync(join(left, 'files'));
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  for (const folder of [left, other]) utimesSync(folder, twoDaysAgo, twoDaysAgo);
  folderInMemory(memory, 1);
  expect([left, used, other].map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

test('without a file system in memory, there is no folder', () => {
  const memory = join(createMemory(), 'missing');
  expect(folderInMemory(memory, 1)).toBe(undefined);
  expect(existsSync(memory)).toBe(false);
});

test('without enough space in memory, there is no folder', () => {
  const memory = createMemory();
  const { blocks, bsize } = statfsSync(memory);
  expect(folderInMemory(memory, (blocks + 1) * bsize)).toBe(undefined);
  expect(readdirSync(memory)).toEqual([]);
});
