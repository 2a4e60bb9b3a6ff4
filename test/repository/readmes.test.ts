import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { house, topFolders } from './house-files.ts';

const folders = topFolders();

test('the house has folders', () => {
  expect(folders.length).toBeGreaterThan(10);
});

test.each(folders)('%s/ says in at most ten lines what it is', (folder) => {
  const readme = join(house, folder, 'README.md');
  expect(existsSync(readme), `${folder}/README.md`).toBe(true);
  const lines = readFileSync(readme, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines.join(' ').length).toBeGreaterThan(80);
});
