import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNewFiles } from '../../../cli/init/write-new-files.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-new-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const fileAt = (name: string, executable = false) => ({
  path: name,
  location: path.join(root, name),
  text: `text of ${name}\n`,
  executable,
});
const listed = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();

test('new files are written with their folders, and nothing else', async () => {
  await writeNewFiles([fileAt('a'), fileAt('b/c/d', true), fileAt('b/e')], [root]);
  expect(listed()).toEqual(['a', 'b', 'b/c', 'b/c/d', 'b/e']);
  expect(readFileSync(path.join(root, 'b/c/d'), 'utf8')).toBe('text of b/c/d\n');
  expect([
    statSync(path.join(root, 'a')).mode & 0o111,
    statSync(path.join(root, 'b/c/d')).mode & 0o100,
  ]).toEqual([0, 0o100]);
});

test('an existing file stays, and no other file is written', async () => {
  mkdirSync(path.join(root, 'z'));
  writeFileSync(path.join(root, 'z/here'), 'mine');
  const writing = writeNewFiles([fileAt('a'), fileAt('b/c'), fileAt('z/here')], [root]);
  await expect(writing).rejects.toMatchObject({ code: 'storage-failed', where: { file: 'z/here' } });
  expect(listed()).toEqual(['z', 'z/here']);
  expect(readFileSync(path.join(root, 'z/here'), 'utf8')).toBe('mine');
});

test('where a folder cannot be created, no file is written', async () => {
  writeFileSync(path.join(root, 'file'), '');
  await expect(writeNewFiles([fileAt('a/b/c'), fileAt('file/d')], [root])).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(listed()).toEqual(['file']);
});

test('a link that leads out of the repository is refused', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'millrace-outside-'));
  try {
    symlinkSync(outside, path.join(root, 'link'));
    const writing = writeNewFiles([fileAt('a'), fileAt('link/b/c')], [root]);
    await expect(writing).rejects.toMatchObject({ code: 'storage-failed', where: { file: 'link/b/c' } });
    expect([listed(), readdirSync(outside)]).toEqual([['link'], []]);
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
});

test('a link that leads nowhere counts as an existing file', async () => {
  symlinkSync(path.join(root, 'nowhere'), path.join(root, 'link'));
  await expect(writeNewFiles([fileAt('link')], [root])).rejects.toMatchObject({ code: 'storage-failed' });
  expect(existsSync(path.join(root, 'nowhere'))).toBe(false);
});
