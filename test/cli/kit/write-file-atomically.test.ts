import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileAtomically } from '../../../cli/kit/write-file-atomically.ts';

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a file that exists is replaced and keeps its permissions; a new one gets its folder', async () => {
  const folder = createFolder();
  const file = path.join(folder, 'a.txt');
  writeFileSync(file, 'old', { mode: 0o640 });
  await writeFileAtomically(file, 'new');
  await writeFileAtomically(path.join(folder, 'b', 'c.txt'), 'c');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readFileSync(path.join(folder, 'b', 'c.txt'), 'utf8')).toBe('c');
  expect(readdirSync(folder)).toEqual(['a.txt', 'b']);
});

test('a link stays a link, and its file gets the content', async () => {
  const folder = createFolder();
  writeFileSync(path.join(folder, 'a.txt'), 'old');
  symlinkSync('a.txt', path.join(folder, 'link'));
  await writeFileAtomically(path.join(folder, 'link'), 'new');
  expect(lstatSync(path.join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('new');
});

test('a link to a file that does not exist stays a link, and the file is made where it points', async () => {
  const folder = createFolder();
  mkdirSync(path.join(folder, 'state'));
  symlinkSync('state/new.txt', path.join(folder, 'link'));
  await writeFileAtomically(path.join(folder, 'link'), 'new');
  expect(lstatSync(path.join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path.join(folder, 'state', 'new.txt'), 'utf8')).toBe('new');
});

test('a pipe gets the content and stays a pipe; a folder is an error of the file system', async () => {
  const folder = createFolder();
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [text] = await Promise.all([readFile(pipe, 'utf8'), writeFileAtomically(pipe, 'content')]);
  expect(text).toBe('content');
  expect(statSync(pipe).isFIFO()).toBe(true);
  await expect(writeFileAtomically(folder, 'content')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(folder)).toEqual(['pipe']);
});
